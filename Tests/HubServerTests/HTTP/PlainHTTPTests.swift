import HubServer
import HubWebSocket
import NIOCore
import NIOHTTP1
import Testing

@Suite("protocol, HTTP: what the port answers besides WebSockets")
struct PlainHTTPTests {
  private let open = PlainHTTP(policy: nil)
  private let development = PlainHTTP(policy: LoopbackPolicy())

  private func head(
    _ uri: String, _ method: HTTPMethod = .GET, host: String = "localhost"
  ) -> HTTPRequestHead {
    HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: ["Host": host])
  }

  @Test(
    "answers each path with its status",
    arguments: [
      ("/healthz", HTTPMethod.GET, HTTPResponseStatus.ok),
      ("/healthz", .HEAD, .ok),
      ("/healthz?verbose=1", .GET, .ok),
      ("/healthz", .POST, .methodNotAllowed),
      ("/healthz", .DELETE, .methodNotAllowed),
      ("/healthz/", .GET, .notFound),
      ("/HEALTHZ", .GET, .notFound),
      ("/v1/ws", .GET, .upgradeRequired),
      ("/v1/ws?token=x", .POST, .upgradeRequired),
      ("/v1/ws/", .GET, .notFound),
      ("/", .GET, .notFound),
      ("", .GET, .notFound),
      ("*", .OPTIONS, .notFound),
      ("?/healthz", .GET, .notFound),
    ])
  func answers(uri: String, method: HTTPMethod, status: HTTPResponseStatus) {
    #expect(open.answer(head(uri, method)).status == status)
  }

  @Test("says in text what is there")
  func texts() {
    let healthy = open.answer(head("/healthz"))
    #expect(String(buffer: healthy.body) == "ok\n")
    #expect(healthy.headers.first(name: "content-type") == "text/plain; charset=utf-8")
    let lost = String(buffer: open.answer(head("/elsewhere")).body)
    #expect(lost == "there is nothing here; the WebSocket is at /v1/ws\n")
  }

  @Test("a 405 says what is allowed, a 426 what to upgrade to")
  func headers() {
    #expect(open.answer(head("/healthz", .PUT)).headers["allow"] == ["GET, HEAD"])
    let upgrade = open.answer(head("/v1/ws")).headers
    #expect(upgrade["upgrade"] == ["websocket"])
    #expect(upgrade["sec-websocket-version"] == ["13"])
  }

  private func isUpgrade(_ admission: Admission) -> Bool? {
    switch admission {
    case .upgrade: true
    case .plain: false
    case .refuse: nil
    }
  }

  @Test(
    "takes WebSockets at one path only",
    arguments: [
      ("/v1/ws", true), ("/v1/ws?token=dev:a", true), ("/v1/ws?", true), ("/v1/ws/", false),
      ("/v1/WS", false), ("/healthz", false), ("/", false),
    ])
  func admits(uri: String, isUpgrade expected: Bool) {
    #expect(isUpgrade(open.admit(head(uri))) == expected)
  }

  @Test(
    "a development hub refuses names from elsewhere at every path",
    arguments: [
      "/v1/ws", "/healthz", "/elsewhere",
    ])
  func loopback(uri: String) {
    let rebound = head(uri, host: "evil.com")
    #expect(development.answer(rebound).status == .forbidden)
    #expect(isUpgrade(development.admit(rebound)) == nil)
    #expect(isUpgrade(development.admit(head(uri))) == (uri == "/v1/ws"))
    #expect(open.answer(rebound).status != .forbidden)
  }

  @Test(
    "reads an argument of the query as it stands",
    arguments: [
      ("/v1/ws?token=abc", String?.some("abc")),
      ("/v1/ws?a=b&token=abc&c=d", "abc"),
      ("/v1/ws?token=", ""),
      ("/v1/ws?token=a=b", "a=b"),
      ("/v1/ws?token=one&token=two", "one"),
      ("/v1/ws?token=a?b", "a?b"),
      ("/v1/ws", nil),
      ("/v1/ws?", nil),
      ("/v1/ws?token", nil),
      ("/v1/ws?tokens=abc", nil),
      ("/v1/ws?xtoken=abc", nil),
      ("", nil),
    ])
  func argument(uri: String, value: String?) {
    #expect(PlainHTTP.argument("token", of: head(uri)) == value)
  }
}
