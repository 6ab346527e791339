import HubClient
import Testing

@Suite("The hub's URL")
struct EndpointTests {
  @Test(
    "host, port and path",
    arguments: [
      ("ws://127.0.0.1:8080", "127.0.0.1", 8080, "/v1/ws"),
      ("ws://127.0.0.1:8080/", "127.0.0.1", 8080, "/v1/ws"),
      ("WS://hub.example", "hub.example", 80, "/v1/ws"),
      ("http://127.0.0.1:8080", "127.0.0.1", 8080, "/v1/ws"),
      ("ws://[::1]:9", "::1", 9, "/v1/ws"),
      ("ws://[::1]", "::1", 80, "/v1/ws"),
      ("ws://h/chat/ws?x=1#frag", "h", 80, "/chat/ws?x=1"),
      ("ws://h?token=t", "h", 80, "/v1/ws?token=t"),
    ])
  func good(url: String, host: String, port: Int, path: String) throws {
    let endpoint = try Endpoint(url)
    #expect((endpoint.host, endpoint.port, endpoint.path) == (host, port, path))
  }

  @Test(
    "what cannot be used is explained",
    arguments: [
      ("wss://hub.example", "TLS"), ("https://hub.example", "TLS"), ("ftp://x", "scheme"),
      ("127.0.0.1:8080", "look like"), ("", "look like"), ("ws://", "no host"),
      ("ws://h:0", "port"), ("ws://h:65536", "port"), ("ws://h:x", "port"), ("ws://h:", "port"),
      ("ws://u:p@h", "user name"), ("ws://h/\r\nX: y", "look like"), ("ws://[::1", "port"),
      ("ws://[::1]x", "malformed"),
    ])
  func bad(url: String, word: String) throws {
    let error = try #require(throws: HubError.self) { try Endpoint(url) }
    #expect(error.code == HubError.badURL)
    #expect(error.message.contains(word))
  }
}
