import HubServer
import Testing

@Suite("cli: numbers of bytes as people write them")
struct ByteCountTests {
  @Test(
    "reads digits with or without a unit",
    arguments: [
      ("0", 0), ("4096", 4_096), ("1b", 1), ("1B", 1), ("1kb", 1_000), ("1KiB", 1_024),
      ("1MB", 1_000_000), ("1MiB", 1_048_576), ("1GB", 1_000_000_000), ("1GiB", 1_073_741_824),
      ("1gib", 1_073_741_824), ("2TB", 2_000_000_000_000), ("1TiB", 1_099_511_627_776),
      ("512 MiB", 536_870_912), ("0GiB", 0), ("007KiB", 7_168),
      ("9223372036854775807", Int.max), ("8388607TiB", 9_223_370_937_343_148_032),
    ])
  func good(text: String, bytes: Int) {
    #expect(ByteCount(text) == ByteCount(bytes: bytes))
  }

  @Test(
    "takes nothing else",
    arguments: [
      "", " ", "GiB", "b", "-1", "-1GiB", "-0", "+1", "+1GiB", "1.5GiB", "1,5GiB", "1e9", "0x10",
      "1G", "1K", "1PiB", "1GiBs", "GiB1", "1GiB1", "one", "1 2GiB", "1 000", "१GiB", "1\u{A0}GiB",
    ])
  func bad(text: String) {
    #expect(ByteCount(text) == nil)
  }

  @Test(
    "takes nothing that does not fit",
    arguments: [
      "9223372036854775808", "8388608TiB", "9223372036854775807b ", "9223372036854775807KiB",
      "99999999999999999999999999999999", "9007199254740992 KiB",
    ])
  func overflow(text: String) {
    #expect(ByteCount(text) == nil)
  }
}

@Suite("cli: times as people write them")
struct DurationTests {
  @Test(
    "reads a number with a unit",
    arguments: [
      ("0s", Duration.zero), ("1s", .seconds(1)), ("90s", .seconds(90)), ("5m", .seconds(300)),
      ("12h", .seconds(43_200)), ("1d", .seconds(86_400)), ("007m", .seconds(420)),
      ("2147483647s", .seconds(2_147_483_647)), ("2147483647d", .seconds(185_542_587_100_800)),
    ])
  func good(text: String, duration: Duration) {
    #expect(Duration(written: text) == duration)
  }

  @Test(
    "takes nothing else",
    arguments: [
      "", "s", "5", "5 m", " 5m", "5m ", "5M", "5min", "5ms", "-5m", "-0s", "+5m", "1.5h", "1h30m",
      "m5", "5mm", "five", "٥m", "2147483648s", "9223372036854775807d", "99999999999999999999s",
    ])
  func bad(text: String) {
    #expect(Duration(written: text) == nil)
  }
}
