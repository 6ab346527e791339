import HubCore
import Testing

@Suite("SipHash-2-4 of 128 bits, as its authors published it")
struct SipHashTests {
  private static let key = SipHash.Key(low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908)

  @Test(
    "the key 00…0f over the bytes 00, 01, …",
    arguments: [
      (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
      (2, "8177228da4a45dc7fca38bdef60affe4"), (3, "9c70b60c5267a94e5f33b6b02985ed51"),
      (7, "a1f1ebbed8dbc153c0b84aa61ff08239"), (8, "3b62a9ba6258f5610f83e264f31497b4"),
      (9, "264499060ad9baabc47f8b02bb6d71ed"), (15, "5493e99933b0a8117e08ec0f97cfc3d9"),
      (16, "6ee2a4ca67b054bbfd3315bf85230577"), (17, "473d06e8738db89854c066c47ae47740"),
      (31, "2939b0183223fafc1723de4f52c43d35"), (32, "7c3956ca5eeafc3e363e9d556546eb68"),
      (63, "5150d1772f50834a503e069a973fbd7c"),
    ])
  func vectors(count: Int, hex: String) {
    var hash = SipHash(key: Self.key)
    for byte in 0..<count { hash.add(UInt8(byte)) }
    #expect(Self.hex(hash.finish()) == hex)
  }

  @Test("a number is its four bytes, lowest first")
  func numbers() {
    var bytes = SipHash(key: Self.key)
    for byte in [UInt8(0x78), 0x56, 0x34, 0x12, 0xff] { bytes.add(byte) }
    var number = SipHash(key: Self.key)
    number.add(UInt32(0x1234_5678))
    number.add(UInt8(0xff))
    #expect(Self.hex(bytes.finish()) == Self.hex(number.finish()))
  }

  private static func hex(_ hash: (low: UInt64, high: UInt64)) -> String {
    let words = [hash.low, hash.high].map(\.byteSwapped)
    return words.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
