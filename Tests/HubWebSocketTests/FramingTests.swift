import HubWebSocket
import NIOCore
import SeededRandom
import Testing

@Suite("RFC 6455 §5.2 Base framing")
struct FramingTests {
  @Test("Bytes that arrive at once amount to the expected units", arguments: DecoderVector.all)
  func whole(_ vector: DecoderVector) {
    #expect(decode(vector.bytes, limit: vector.limit) == vector.expected)
  }

  @Test("They amount to the same when cut in two anywhere", arguments: DecoderVector.all)
  func cutInTwo(_ vector: DecoderVector) {
    let bytes = vector.bytes
    let cuts = bytes.count < 2048 ? Array(0...bytes.count) : Array(0..<24) + [bytes.count - 1]
    for cut in cuts {
      let units = decode([bytes[..<cut], bytes[cut...]], limit: vector.limit)
      #expect(units == vector.expected, "cut at \(cut)")
    }
  }

  @Test("They amount to the same byte by byte", arguments: DecoderVector.all)
  func byteByByte(_ vector: DecoderVector) {
    let pieces = vector.bytes.indices.map { vector.bytes[$0...$0] }
    #expect(decode(pieces, limit: vector.limit) == vector.expected)
  }

  @Test("A violation is known at the byte that commits it")
  func earliestByte() {
    #expect(decode([0xC1]) == [.violation(.reservedBits)])
    #expect(decode([0x83]) == [.violation(.reservedOpcode)])
    #expect(decode([0x80]) == [.violation(.unexpectedContinuation)])
    #expect(decode([0x09]) == [.violation(.fragmentedControl)])
    #expect(decode([0x81, 0x05]) == [.violation(.unmaskedFrame)])
    #expect(decode([0x89, 0xFE]) == [.violation(.oversizedControl)])
    #expect(decode([0x82, 0xFF, 0x80]) == [.violation(.lengthOutOfRange)])
    #expect(decode([0x82, 0xFE, 0, 125]) == [.violation(.lengthNotMinimal)])
  }

  @Test("A client takes unmasked frames and refuses masked ones")
  func clientSide() {
    let plain = Wire.frame(0x1, [65], masked: false)
    #expect(decode(plain, from: .server) == [.text("A")])
    #expect(decode(Wire.text("A"), from: .server) == [.violation(.maskedFrame)])
    let split = Wire.frame(0x1, Array("µ€".utf8), masked: false)
    #expect(decode(split.indices.map { split[$0...$0] }, from: .server) == [.text("µ€")])
  }

  @Test("A whole message is delivered where it lies in the buffer that was read")
  func noCopy() {
    var decoder = MessageDecoder(expectsMask: true, maxMessageBytes: 1000)
    var buffer = ByteBuffer(bytes: Wire.text("Hello") + Wire.text("you"))
    // SAFETY: the addresses are only compared.
    let start = buffer.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
    for (offset, text) in [(6, "Hello"), (17, "you")] {
      guard case .message(let message) = decoder.next(&buffer) else {
        Issue.record("not a message")
        return
      }
      #expect(message.payload == ByteBuffer(string: text))
      // SAFETY: the addresses are only compared.
      let address = message.payload.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
      #expect(address == start + UInt(offset))
    }
    let rest = decoder.next(&buffer)
    #expect(rest == nil)
  }

  @Test("A message in an existential needs no box, and an idle connection little memory")
  func sizes() {
    #expect(MemoryLayout<WebSocketMessage>.size == 24)
    #expect(MemoryLayout<MessageDecoder>.size <= 192)
    #expect(MemoryLayout<ConnectionMachine>.size <= 80)
  }

  @Test("16 MiB in 64-byte fragments are taken without delay, one byte more is refused")
  func largeMessages() {
    let limit = 16 * 1024 * 1024
    let chunk = [UInt8](repeating: 65, count: 64)
    let fragment = Wire.frame(0x0, chunk, final: false)
    var decoder = MessageDecoder(expectsMask: true, maxMessageBytes: limit)
    var first = ByteBuffer(bytes: Wire.frame(0x1, chunk, final: false))
    let none = decoder.next(&first)
    #expect(none == nil)
    for _ in 1..<limit / 64 {
      var buffer = ByteBuffer(bytes: fragment)
      guard decoder.next(&buffer) == nil else {
        Issue.record("a fragment is not a message")
        return
      }
    }
    var past = ByteBuffer(bytes: Wire.frame(0x0, [65]))
    let refused = decoder.next(&past)
    #expect(refused == .violation(.messageTooBig))
  }
}

@Suite("RFC 6455 §5.3 Masking")
struct MaskingTests {
  @Test("Every length and every alignment is masked as byte by byte", arguments: 0...70)
  func everyAlignment(length: Int) {
    var random = SplitMix64(seed: UInt64(length))
    let key = UInt32.random(in: 0...UInt32.max, using: &random)
    let keyBytes = (0..<4).map { UInt8(truncatingIfNeeded: key >> (24 - 8 * UInt32($0))) }
    for alignment in 0..<8 {
      for offset in 0..<5 {
        let plain = random.bytes(length)
        var buffer = [UInt8](repeating: 0xEE, count: alignment) + plain + [0xEE]
        // SAFETY: the range lies within the array; the pointer does not leave the closure.
        let isASCII = buffer.withUnsafeMutableBytes { bytes in
          MaskKey(key).apply(
            to: UnsafeMutableRawBufferPointer(
              rebasing: bytes[alignment..<alignment + length]), offset: offset)
        }
        let expected = plain.enumerated().map { $1 ^ keyBytes[($0 + offset) % 4] }
        #expect(Array(buffer[alignment..<alignment + length]) == expected)
        #expect(buffer[..<alignment].allSatisfy { $0 == 0xEE } && buffer.last == 0xEE)
        #expect(isASCII == expected.allSatisfy { $0 < 0x80 })
      }
    }
  }
}
