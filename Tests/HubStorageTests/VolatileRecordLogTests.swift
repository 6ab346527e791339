import HubCore
import HubProtocol
import HubStorage
import Testing

@Suite("Architecture, Storage: the log of durability `none`")
struct VolatileRecordLogTests {
  private func records(_ count: Int) throws -> [Record] {
    let user = try #require(UserID("alice"))
    return Array(
      repeating: Record(ts: Timestamp(milliseconds: 1), change: .userAppeared(user, .person)),
      count: count)
  }

  @Test("it counts: everything is durable at once, without holes")
  func counts() throws {
    let log = VolatileRecordLog()
    #expect(log.last == LSN(0))
    let first = log.append(try records(3))
    #expect(first == .durable(upTo: LSN(3)))
    let none = log.append([])
    #expect(none == .durable(upTo: LSN(3)))
    let second = log.append(try records(1))
    #expect(second == .durable(upTo: LSN(4)))
    #expect(log.last == LSN(4))
  }

  @Test("it goes on behind the LSN it is given")
  func continues() throws {
    let log = VolatileRecordLog(last: LSN(40))
    let progress = log.append(try records(2))
    #expect(progress == .durable(upTo: LSN(42)))
    #expect(LSN(41) < log.last)
  }

  @Test("there is nothing to wait for")
  func sync() throws {
    let log = VolatileRecordLog()
    _ = log.append(try records(3))
    #expect(throws: Never.self) { try log.sync() }
    log.close()
    #expect(log.last == LSN(3))
  }
}
