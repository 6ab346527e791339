import HubCore
import HubProtocol

/// One connection as its client sees it. Everything received is also told as a line of text.
final class Client {
  let connection: ConnectionID
  private unowned let driver: HubDriver
  /// Who the hub says is signed in.
  var ref: UserRef?
  /// Everything that came since the last `clear`, but for others' presence and notices.
  var received: [Received] = []
  /// What was shown and taken back of new messages since the last `clear`.
  var notices: [String] = []
  /// What was told of others' presence since the last `clear`.
  var presence: [String] = []
  private var requestCount = 0

  init(_ connection: ConnectionID, of driver: HubDriver) {
    self.connection = connection
    self.driver = driver
  }

  /// What came since the last `clear`, in order.
  var lines: [String] { received.map(\.description) }

  /// The same without answers.
  var events: [String] { received.filter(\.isEvent).map(\.description) }

  func clear() {
    received = []
    presence = []
    notices = []
  }

  /// Takes what came.
  func hear(_ item: Received) {
    switch item {
    case .event(.presence): presence.append(item.description)
    case .event(.notice), .event(.noticeRetract): notices.append(item.description)
    case .reply, .refusal, .event, .closed: received.append(item)
    }
  }

  /// What came since the last time, in order.
  func take() -> [String] {
    defer { clear() }
    return lines
  }

  /// The events since the last time that begin with one of the words.
  func take(_ words: String...) -> [String] {
    take().filter { line in words.contains { line.hasPrefix($0 + " ") } }
  }

  /// The last successful reply.
  var reply: Reply? {
    for case .reply(_, let reply) in received.reversed() { return reply }
    return nil
  }

  /// The last error, whole.
  var refusal: Refusal? {
    for case .refusal(_, let refusal) in received.reversed() { return refusal }
    return nil
  }

  /// The summary in the last reply.
  var summary: ChannelSummary? {
    guard case .channel(let summary) = reply else { return nil }
    return summary
  }

  /// Says hello; the answer's line, or `pending`.
  @discardableResult
  func hello(
    _ name: String, as privilege: Privilege = .person, since: String? = nil
  ) -> String {
    hello(.success(Identity(user: user(name), privilege: privilege)), since: since)
  }

  /// Says hello with a token that says that.
  @discardableResult
  func hello(_ identity: Result<Identity, Refusal>, since: String? = nil) -> String {
    let id = nextID()
    driver.receive(.hello(connection, id, identity, since: since, bytes: 40))
    return line(of: id)
  }

  /// Asks with an id; the answer's line, or `pending`.
  @discardableResult
  func ask(_ operation: HubProtocol.Operation) -> String {
    let id = nextID()
    driver.receive(.request(connection, Request(id: id, operation: operation), bytes: 60))
    return line(of: id)
  }

  /// Asks without an id.
  func say(_ operation: HubProtocol.Operation) {
    driver.receive(.request(connection, Request(id: nil, operation: operation), bytes: 60))
  }

  /// Replaces the token; the answer's line, or `pending`.
  @discardableResult
  func refresh(_ identity: Result<Identity, Refusal>) -> String {
    let id = nextID()
    driver.receive(.refresh(connection, id, identity, bytes: 40))
    return line(of: id)
  }

  /// Sends what is no request that could be done.
  @discardableResult
  func blunder(_ refusal: Refusal, op: String?) -> String {
    let id = nextID()
    driver.receive(.refused(connection, id, op: op, refusal, bytes: 30))
    return line(of: id)
  }

  /// Breaks the protocol.
  func violate(_ code: CloseCode) { driver.receive(.violation(connection, code)) }

  /// Goes away.
  func close() { driver.close(self) }

  private func nextID() -> RequestID? {
    requestCount += 1
    return RequestID(requestCount)
  }

  private func line(of id: RequestID?) -> String {
    received.last { $0.id == id }?.description ?? "pending"
  }
}
