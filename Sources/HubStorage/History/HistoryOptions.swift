/// How history works.
package struct HistoryOptions: Sendable {
  /// Changes that one transaction takes at most; a single append is never split.
  package var batchChanges = 10_000
  /// How long a few changes may wait for more before they are committed. A query does not wait.
  package var commitDelayMilliseconds = 250
  /// How long few messages may wait for more before they are indexed. A search does not wait.
  package var indexDelayMilliseconds = 4_000
  /// Changes that wait above which history is behind; it has caught up at half.
  package var behindChanges = 100_000
  /// Bytes of messages that wait above which history is behind; it has caught up at half.
  package var behindBytes = 64 << 20
  /// Bytes up to which a file is checked as a whole when it is opened.
  package var checkedBytes = 256 << 20
  /// Candidates that one search looks at before it answers with what it has.
  package var searchRows = 20_000
  /// How long to wait before writing is tried again on a full disk.
  package var retryMilliseconds = 1_000
  /// Pages that the file may have; for tests of a full disk.
  package var pageLimit: Int?

  package init() {}
}
