#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The time since the machine was started.
enum MachineBoot {
  /// Another name after each start of the machine; empty where the system tells none, which counts
  /// as another each time.
  static var name: String {
    guard let bytes = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id") else {
      return ""
    }
    return String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
  }
}
