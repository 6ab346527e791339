import HubServer
import NIOCore
import SeededRandom
import Testing

private func frame(_ index: Int32) -> ByteBuffer {
  ByteBuffer(string: "<\(index)>")
}

/// Where a buffer's bytes lie.
private func place(_ buffer: ByteBuffer) -> UInt? {
  buffer.withUnsafeReadableBytes { $0.baseAddress.map { UInt(bitPattern: $0) } }
}

@Suite("architecture, Fan-out: everything for one connection in one tick is one write")
struct SharedQueuesTests {
  @Test("a queue that nothing was put into is empty")
  func empty() {
    #expect(SharedQueues.empty.isEmpty)
    var queues = SharedQueues()
    #expect(!queues.append(frame(0), index: 0, to: SharedQueues.empty).isEmpty)
  }

  @Test("a queue of one frame is that frame, not a copy")
  func one() {
    var queues = SharedQueues()
    let only = frame(0)
    let queue = queues.append(only, index: 0, to: SharedQueues.empty)
    #expect(place(queues.whole(queue)) == place(only))
  }

  @Test("all frames come in the order put in", arguments: [2, 3, 100, 5_000])
  func many(count: Int32) {
    var queues = SharedQueues()
    var queue = SharedQueues.empty
    for index in 0..<count { queue = queues.append(frame(index), index: index, to: queue) }
    let expected = (0..<count).map { "<\($0)>" }.joined()
    #expect(String(buffer: queues.whole(queue)) == expected)
  }

  @Test("connections that were given the same frames share one queue and one buffer")
  func equal() {
    var queues = SharedQueues()
    var all = Array(repeating: SharedQueues.empty, count: 1_000)
    for index: Int32 in 0..<20 {
      for connection in all.indices {
        all[connection] = queues.append(frame(index), index: index, to: all[connection])
      }
    }
    #expect(all.allSatisfy { $0 == all[0] })
    let whole = queues.whole(all[0])
    #expect(all.allSatisfy { place(queues.whole($0)) == place(whole) })
  }

  @Test("connections that are given two forms of an event in turn share two queues")
  func twoForms() {
    var queues = SharedQueues()
    var all = Array(repeating: SharedQueues.empty, count: 100)
    for index in all.indices {
      let own: Int32 = index % 3 == 1 ? 1 : 0
      all[index] = queues.append(frame(own), index: own, to: all[index])
    }
    for index in all.indices { all[index] = queues.append(frame(2), index: 2, to: all[index]) }
    let wholes = all.map { queues.whole($0) }
    #expect(Set(wholes.map(place)).count == 2)
    #expect(wholes[0..<3].map { String(buffer: $0) } == ["<0><2>", "<1><2>", "<0><2>"])
  }

  @Test("the frames of a queue can be told one by one")
  func indices() {
    var queues = SharedQueues()
    var queue = SharedQueues.empty
    #expect(queues.indices(queue) == [])
    for index: Int32 in [4, 2, 9] {
      queue = queues.append(frame(index), index: index, to: queue)
    }
    #expect(queues.indices(queue) == [4, 2, 9])
  }

  @Test("a queue stays what it was when others grow from it")
  func fork() {
    var queues = SharedQueues()
    let first = queues.append(frame(0), index: 0, to: SharedQueues.empty)
    let left = queues.append(frame(1), index: 1, to: first)
    let right = queues.append(frame(2), index: 2, to: first)
    #expect(String(buffer: queues.whole(left)) == "<0><1>")
    #expect(String(buffer: queues.whole(right)) == "<0><2>")
    #expect(String(buffer: queues.whole(first)) == "<0>")
  }

  @Test("after the tick the same index is another frame")
  func nextTick() {
    var queues = SharedQueues()
    let before = queues.append(frame(0), index: 0, to: SharedQueues.empty)
    #expect(String(buffer: queues.whole(before)) == "<0>")
    queues.removeAll()
    let after = queues.append(frame(9), index: 0, to: SharedQueues.empty)
    #expect(String(buffer: queues.whole(after)) == "<9>")
  }

  @Test("whoever is given what, each gets just its own frames in order", arguments: 0..<200)
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var queues = SharedQueues()
    for _ in 0..<4 {
      let count = Int.random(in: 1...40, using: &random)
      var all = Array(repeating: SharedQueues.empty, count: count)
      var expected = Array(repeating: "", count: count)
      for index: Int32 in 0..<Int32.random(in: 0...60, using: &random) {
        let percent = [5, 50, 100].randomElement(using: &random) ?? 50
        for connection in 0..<count where Int.random(in: 0..<100, using: &random) < percent {
          all[connection] = queues.append(frame(index), index: index, to: all[connection])
          expected[connection] += "<\(index)>"
        }
      }
      let given = all.map { $0.isEmpty ? "" : String(buffer: queues.whole($0)) }
      #expect(given == expected, "seed \(seed)")
      queues.removeAll()
    }
  }
}
