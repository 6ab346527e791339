/// Where a reader of a channel stands: the numbering it belongs to, and the last message and
/// revision it has seen (protocol, "Subscribing and recovery").
package struct Position: Equatable, Sendable {
  /// Names one numbering; a new one means that older positions say nothing.
  package let epoch: String
  /// Number of the last message seen; 0 before the first.
  package let seq: Int
  /// Number of the last edit, deletion or reaction seen; nil when the reader does not follow them.
  package let rev: Int?

  package init(epoch: String, seq: Int, rev: Int? = nil) {
    self.epoch = epoch
    self.seq = seq
    self.rev = rev
  }
}
