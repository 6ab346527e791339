/// What a connection that does not keep up has besides the others: made with the first write that
/// its socket does not take whole, gone with the last. It belongs to the connection's loop.
final class Backlog {
  /// Writes that the pipeline has not brought to the socket yet.
  var unwritten = 0
  /// What waits behind them.
  var lanes = OutboundLanes(limit: ConnectionHandler.outboundBytes)
  /// Whether the lanes are being written on.
  var isDraining = false
  var progress = ProgressWatch()
  /// Whether the system has taken a whole write since `progress` was asked last.
  var hasWritten = false
}
