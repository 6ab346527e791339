import HubStorage
import SimulatedDisk
import Testing

@Suite("Architecture, Storage: the bytes of a journal")
struct JournalFormatTests {
  private let disk: SimulatedDisk

  init() throws {
    disk = try JournalStage.disk()
    var writer = try JournalStage.journal(on: disk, firstLSN: 3)
    var batch = FrameBatch(store: writer.store)
    batch.begin(after: writer.last, synced: writer.synced)
    for text in ["one", "two"] {
      batch.add { bytes in
        bytes += text.utf8
        return 9
      }
    }
    try writer.write(batch)
    try writer.seal(isFinal: true)
  }

  private func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private func segment() throws -> [UInt8] {
    try #require(disk.bytes(of: JournalStage.segment(1)))
  }

  /// The checksum of bytes as it stands in a file; that of a frame begins with the store.
  private func checksum(_ bytes: some Sequence<UInt8>, isFrame: Bool = false) -> String {
    let store: [UInt8] = [
      0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01, 5, 0, 0, 0, 0, 0, 0, 0,
    ]
    let crc = CRC32C.of((isFrame ? store : []) + Array(bytes))
    return hex((0..<4).map { UInt8(truncatingIfNeeded: crc >> UInt32(8 * $0)) })
  }

  @Test("a segment begins with 64 bytes that say what it is")
  func head() throws {
    let bytes = try segment()
    let fields =
      "6875626a7365670a" + "01000000" + "00000000" + "efcdab89674523010500000000000000"
      + "0100000000000000" + "0300000000000000" + "000000000000000000000000"
    #expect(hex(bytes.prefix(60)) == fields)
    #expect(hex(bytes[60..<64]) == checksum(bytes.prefix(60)))
    #expect(hex(bytes[60..<64]) == "e8f1c0ee")
  }

  /// A whole frame, of what stands between its checksum and its check, and its payload.
  private func frame(_ fields: String, _ payload: String) throws -> String {
    let check = checksum(try unhex(fields), isFrame: true).prefix(4)
    let covered = fields + check + payload + "a5"
    return checksum(try unhex(covered), isFrame: true) + covered
  }

  private func unhex(_ text: String) throws -> [UInt8] {
    let digits = Array(text)
    return try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(digits[$0...($0 + 1)]), radix: 16))
    }
  }

  @Test("a frame has 24 bytes, then its payload, and a mark at its end")
  func frames() throws {
    let bytes = try segment()
    let one = try frame("030000000300000000000000" + "01000000" + "0109", "6f6e65")
    let two = try frame("030000000400000000000000" + "02000000" + "0109", "74776f")
    #expect(hex(bytes[64..<92]) == one && hex(bytes[92..<120]) == two)
    #expect(hex(bytes[64..<92]) == golden)
  }

  private let golden = "8043577403000000030000000000000001000000010989516f6e65a5"

  @Test("a seal holds a checksum over those before it, and whether it is the last of all")
  func seal() throws {
    let bytes = try segment()
    let sum = checksum(bytes[64..<68] + bytes[92..<96])
    let fields = "080000000400000000000000" + "00000000" + "0201"
    #expect(hex(bytes[120..<153]) == (try frame(fields, sum + "01000000")))
    #expect(bytes[153...].allSatisfy { $0 == 0 } && bytes.count == 768)
  }

  @Test("a manifest has 64 bytes, and then 24 for each segment")
  func manifest() throws {
    let bytes = try #require(disk.bytes(of: JournalStage.path + "/manifest"))
    let entry = "0100000000000000" + "0300000000000000" + "0003000000000000"
    #expect(hex(bytes[64...]) == entry)
    let fields =
      "6875626a6d616e0a" + "01000000" + "01000000" + "efcdab89674523010500000000000000"
      + "0000000000000000" + "0300000000000000" + checksum(bytes[64...]) + "0000000000000000"
    #expect(hex(bytes.prefix(60)) == fields)
    #expect(hex(bytes[60..<64]) == checksum(bytes.prefix(60)))
  }
}
