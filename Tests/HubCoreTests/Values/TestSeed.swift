import Foundation
import SeededRandom

/// Where the random tests of this run begin.
enum TestSeed {
  /// `HUB_TEST_SEED`, or another one each time.
  static let value =
    ProcessInfo.processInfo.environment["HUB_TEST_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0..<1_000_000_000)

  /// What brings a failure back.
  static let hint = "again with HUB_TEST_SEED=\(value)"
}
