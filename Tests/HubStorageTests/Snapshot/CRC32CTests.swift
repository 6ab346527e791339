import HubStage
import HubStorage
import SeededRandom
import Testing

@Suite("Architecture, Storage: CRC-32C (RFC 3720, appendix B.4)")
struct CRC32CTests {
  @Test(
    "known checksums",
    arguments: [
      (Array("".utf8), 0), (Array("a".utf8), 0xc1d0_4330), (Array("123456789".utf8), 0xe306_9283),
      ([UInt8](repeating: 0, count: 32), 0x8a91_36aa),
      ([UInt8](repeating: 0xff, count: 32), 0x62a8_ab43),
      (Array(0..<32), 0x46dd_794e), (Array((0..<32).reversed()), 0x113f_db5c),
    ] as [([UInt8], UInt32)])
  func vectors(bytes: [UInt8], checksum: UInt32) {
    #expect(CRC32C.of(bytes) == checksum)
  }

  @Test("in pieces, however cut, it is the same")
  func pieces() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<500 {
      let bytes = (0..<random.below(60)).map { _ in UInt8(random.below(256)) }
      var crc = CRC32C()
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = 1 + random.below(rest.count)
        crc.add(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(crc.value == CRC32C.of(bytes))
    }
  }
}
