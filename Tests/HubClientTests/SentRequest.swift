import HubClient
import HubProtocol
import Synchronization

/// What one call sent, as `key=value`; the hub answers it with `answer`.
func sent(
  answer: String = "{}", _ call: (HubConnection) async throws -> Void
) async throws -> String {
  let texts = try await sent(answers: [answer], call)
  return texts.joined(separator: "; ")
}

/// What calls sent, each as `key=value`. The hub answers the first with the first of `answers`, and
/// so on; with nil it drops the connection instead. What comes beyond them gets the last answer.
func sent(
  answers: [String?], _ call: (HubConnection) async throws -> Void
) async throws -> [String] {
  let seen = SharedTexts()
  let hub = try await FakeHub { asked in
    guard asked.op != "hello" else { return [] }
    let members = asked.json.keys.filter { $0 != "id" }.compactMap { key in
      asked.json.raw(key).map { "\(key)=\(String(decoding: $0.bytes, as: UTF8.self))" }
    }
    let number = seen.add(members.joined(separator: " "))
    guard let answer = answers[min(number, answers.count) - 1] else { return [.drop] }
    return [FakeHub.ok(asked, answer)]
  }
  let connection = try HubConnection(
    url: hub.url, token: "dev:ana", configuration: HubConnectionTests.quick)
  try await connection.connect()
  try await call(connection)
  await connection.close()
  try await hub.stop()
  return seen.all()
}

/// Texts that a test and the loop of its hub share.
private final class SharedTexts: Sendable {
  private let texts = Mutex<[String]>([])

  /// - Returns: how many there are now.
  func add(_ text: String) -> Int {
    texts.withLock {
      $0.append(text)
      return $0.count
    }
  }

  func all() -> [String] { texts.withLock { $0 } }
}
