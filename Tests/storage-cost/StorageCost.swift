import Foundation
import HubCore
import HubProtocol
import HubStorage

/// Measures what storage costs without sockets, each part beside what bounds it:
///
///     storage-cost log [seconds]        # acknowledgement latency beside a bare append + fdatasync
///     storage-cost replay [records]     # a journal read, decoded and applied again
///     storage-cost start [channels]     # a snapshot of ten memberships a channel, loaded
///     storage-cost page [messages]      # a page of 50, and the disk, of so many messages
///     storage-cost history [messages]   # the processor's time that history takes for a message
///     storage-cost inboxes [people]     # full inboxes: memory, time, and waiting for a snapshot
@main
struct StorageCost {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let number = arguments.dropFirst().first.flatMap { Int($0) }
    if arguments.first == "inboxes" {
      return await InboxCost.measure(people: number ?? 100_000)
    }
    try Scratch.with { directory in
      switch arguments.first {
      case "log": try LogCost.measure(in: directory, seconds: number ?? 10)
      case "replay": try ReplayCost.measure(in: directory, records: number ?? 1_000_000)
      case "start": try StartCost.measure(in: directory, channels: number ?? 100_000)
      case "page": try PageCost.measure(in: directory, messages: number ?? 1_000_000)
      case "history": try HistoryCost.measure(in: directory, messages: number ?? 200_000)
      default:
        FileHandle.standardError.write(
          Data("usage: storage-cost log|replay|start|page|history|inboxes [number]\n".utf8))
        exit(64)
      }
    }
  }
}

/// A directory for one measurement, beside the program, so that it is on a disk.
enum Scratch {
  static func with(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.currentDirectoryPath + "/.storage-cost-\(getpid())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  /// Bytes of all files in a directory, as far as they take room.
  static func bytes(in path: String) throws -> Int {
    try FileManager.default.subpathsOfDirectory(atPath: path).reduce(0) { sum, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
      return sum + (attributes[.size] as? Int ?? 0)
    }
  }
}

/// Durations, for people.
enum Figures {
  /// Milliseconds with two decimals.
  static func milliseconds(_ duration: Duration) -> String {
    String(format: "%.2f ms", duration / .milliseconds(1))
  }

  /// Microseconds with two decimals.
  static func microseconds(_ duration: Duration) -> String {
    String(format: "%.2f µs", duration / .microseconds(1))
  }

  static func percentile(_ sorted: [Duration], _ part: Double) -> Duration {
    sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }

  /// Half and the slowest hundredth of what was measured.
  static func line(_ durations: [Duration]) -> String {
    let sorted = durations.sorted()
    return "p50 \(milliseconds(percentile(sorted, 0.5))), "
      + "p99 \(milliseconds(percentile(sorted, 0.99))), "
      + "longest \(milliseconds(percentile(sorted, 1)))"
  }
}

/// A record like those of a busy hub: a message of some words with a key.
enum SampleRecord {
  static func message(_ number: Int, by user: UserRef, to channel: ChannelName) -> Record {
    let text = "The quick brown fox \(number) jumps over the lazy dog and does not mind at all"
    return Record(
      ts: Timestamp(milliseconds: 1_700_000_000_000 + number / 10),
      change: .messageSent(
        MessageSend(
          channel: channel, content: MessageContent(text: text), key: "key-\(number)"),
        by: user))
  }
}
