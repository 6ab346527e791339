/// What a run counts.
package struct Tally: Sendable, Equatable, Encodable {
  /// Messages published.
  package var sent = 0
  /// Deliveries that these messages must cause.
  package var expected = 0
  /// Messages received with the right `seq`, channel and content, each once.
  package var delivered = 0
  /// Bytes of the frames delivered, with their headers.
  package var frameBytes = 0
  /// Deliveries that were overtaken by a later message of their channel.
  package var late = 0
  package var duplicates = 0
  /// Messages of another channel than the listener's.
  package var misrouted = 0
  /// Messages whose text is not what was sent.
  package var corrupt = 0
  /// `gap` events: the hub dropped messages for a slow listener.
  package var gapEvents = 0
  /// Events of other kinds, such as `unread` and `activity`.
  package var otherEvents = 0
  /// Error replies and `error` events, by code; `unsubscribed` and what is no message of the
  /// protocol count here too.
  package var errors: [String: Int] = [:]
  /// Connections that ended during the run, by close code, or `abrupt`.
  package var closes: [String: Int] = [:]

  package init() {}

  /// Deliveries that have not come. The sum is right at the end only, when nothing is on its way.
  package var missing: Int { max(0, expected - delivered) }

  /// Every way in which the run was not flawless, as a sentence.
  package var failures: [String] {
    var failures: [String] = []
    func report(_ count: Int, _ sentence: String) {
      if count > 0 { failures.append("\(count) \(sentence)") }
    }
    report(missing, "deliveries never came")
    report(late, "deliveries came out of order")
    report(duplicates, "deliveries came twice")
    report(misrouted, "messages came to the wrong channel")
    report(corrupt, "messages were changed on the way")
    report(gapEvents, "gap events: listeners were too slow")
    for (code, count) in errors.sorted(by: { $0.key < $1.key }) {
      report(count, "errors from the hub: \(code)")
    }
    for (code, count) in closes.sorted(by: { $0.key < $1.key }) {
      report(count, "connections ended: \(code)")
    }
    return failures
  }
}
