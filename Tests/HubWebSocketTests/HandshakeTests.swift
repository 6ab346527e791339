import HubWebSocket
import NIOCore
import NIOHTTP1
import Testing

@Suite("RFC 6455 §4.2 The server's side of the handshake")
struct ServerHandshakeTests {
  static let good: HTTPHeaders = [
    "Host": "example.com", "Upgrade": "websocket", "Connection": "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
  ]

  private func head(
    _ headers: HTTPHeaders, method: HTTPMethod = .GET, version: HTTPVersion = .http1_1
  ) -> HTTPRequestHead {
    HTTPRequestHead(version: version, method: method, uri: "/", headers: headers)
  }

  private func refusal(of head: HTTPRequestHead) -> UpgradeRefusal? {
    do throws(UpgradeRefusal) {
      _ = try UpgradeAcceptance(to: head)
      return nil
    } catch {
      return error
    }
  }

  @Test("The RFC's own example is accepted with the RFC's own answer")
  func example() throws {
    let response = try UpgradeAcceptance(to: self.head(Self.good)).response
    #expect(response.status == .switchingProtocols)
    #expect(response.headers["sec-websocket-accept"] == ["s3pPLMBiTxaQ9kYGzzhZRbK+xOo="])
    #expect(response.headers["upgrade"] == ["websocket"])
    #expect(response.headers["connection"] == ["upgrade"])
    #expect(!response.headers.contains(name: "sec-websocket-protocol"))
  }

  @Test(
    "Tokens are found in any case, in lists and in repeated fields",
    arguments: [
      [("upgrade", "WebSocket")], [("upgrade", "h2c, WEBSOCKET")],
      [("upgrade", "h2c"), ("upgrade", "websocket")], [("connection", "keep-alive,\t UPGRADE ")],
      [("connection", "keep-alive"), ("connection", "Upgrade")], [("connection", ", ,upgrade,")],
      [("sec-websocket-extensions", "permessage-deflate; client_max_window_bits")],
      [("content-length", "0")],
    ])
  func tokens(fields: [(String, String)]) throws {
    var headers = Self.good
    for (name, _) in fields {
      headers.remove(name: name)
    }
    for (name, value) in fields {
      headers.add(name: name, value: value)
    }
    let acceptance = try UpgradeAcceptance(to: self.head(headers))
    #expect(!acceptance.response.headers.contains(name: "sec-websocket-extensions"))
  }

  @Test(
    "A field that is wrong is refused for that reason",
    arguments: [
      ("host", [], .host), ("host", ["a", "b"], .host), ("content-length", ["5"], .body),
      ("transfer-encoding", ["chunked"], .body), ("upgrade", [], .upgrade),
      ("upgrade", ["websockets"], .upgrade), ("connection", [], .connection),
      ("connection", ["keep-alive"], .connection), ("connection", ["upgrades"], .connection),
      ("sec-websocket-version", [], .version), ("sec-websocket-version", ["8"], .version),
      ("sec-websocket-version", ["13", "13"], .version), ("sec-websocket-key", [], .key),
      ("sec-websocket-key", ["dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ=="], .key),
      ("sec-websocket-key", [""], .key), ("sec-websocket-key", ["dGhlIHNhbXBsZSBub25jZQ="], .key),
      ("sec-websocket-key", ["dGhlIHNhbXBsZSBub25jZR=="], .key),
      ("sec-websocket-key", ["dGhlIHNhbXBsZSBub25jZ!=="], .key),
      ("sec-websocket-key", ["dGhlIHNhbXBsZSBub25jZTEy"], .key),
      ("sec-websocket-key", ["dGhlIHNhbXBsZSBub25jZ==="], .key),
    ] as [(String, [String], UpgradeRefusal)])
  func refused(name: String, values: [String], refusal: UpgradeRefusal) {
    var headers = Self.good
    headers.remove(name: name)
    for value in values {
      headers.add(name: name, value: value)
    }
    #expect(self.refusal(of: self.head(headers)) == refusal)
  }

  @Test("Only GET of HTTP/1.1 opens a WebSocket")
  func methodAndVersion() {
    #expect(self.refusal(of: self.head(Self.good, method: .POST)) == .method)
    #expect(self.refusal(of: self.head(Self.good, method: .HEAD)) == .method)
    #expect(self.refusal(of: self.head(Self.good, version: .http1_0)) == .httpVersion)
  }

  @Test("A refusal says what to do: 426 names protocol and version, 405 the method")
  func answers() {
    for refusal in UpgradeRefusal.allCases {
      let answer = refusal.answer
      #expect(answer.status == refusal.status && answer.body.readableBytes > 20)
      let isUpgradeRequired = answer.status == .upgradeRequired
      #expect(answer.headers["sec-websocket-version"] == (isUpgradeRequired ? ["13"] : []))
      #expect(answer.headers["upgrade"] == (isUpgradeRequired ? ["websocket"] : []))
    }
    #expect(UpgradeRefusal.version.status == .upgradeRequired)
    #expect(UpgradeRefusal.method.answer.headers["allow"] == ["GET"])
  }

  @Test(
    "The client's first supported subprotocol is chosen, or none",
    arguments: [
      (["b"], "b"), (["x, b", "a"], "b"), (["x", "a,b"], "a"), (["x, y"], nil), ([], nil),
      (["B"], nil), ([" , b "], "b"),
    ] as [([String], String?)])
  func subprotocols(offers: [String], chosen: String?) throws {
    var headers = Self.good
    for offer in offers {
      headers.add(name: "Sec-WebSocket-Protocol", value: offer)
    }
    let acceptance = try UpgradeAcceptance(to: self.head(headers), subprotocols: ["a", "b"])
    #expect(acceptance.subprotocol == chosen)
    #expect(acceptance.response.headers["sec-websocket-protocol"] == (chosen.map { [$0] } ?? []))
  }
}

@Suite("RFC 6455 §4.1 The client's side of the handshake")
struct ClientHandshakeTests {
  /// The RFC's nonce, "the sample nonce".
  static let nonce: (UInt64, UInt64) = (0x7468_6520_7361_6D70, 0x6C65_206E_6F6E_6365)

  private let request = ClientUpgradeRequest(
    host: "example.com:8080", path: "/chat?x=1", headers: ["Origin": "https://example.com"],
    subprotocols: ["a", "b"], nonce: Self.nonce)

  @Test("The request has every field of the handshake and those of the caller")
  func head() {
    let head = self.request.head
    #expect(head.method == .GET && head.version == .http1_1 && head.uri == "/chat?x=1")
    #expect(head.headers["host"] == ["example.com:8080"])
    #expect(head.headers["sec-websocket-key"] == ["dGhlIHNhbXBsZSBub25jZQ=="])
    #expect(head.headers["sec-websocket-version"] == ["13"])
    #expect(head.headers["sec-websocket-protocol"] == ["a, b"])
    #expect(head.headers["origin"] == ["https://example.com"])
    #expect(throws: Never.self) { try UpgradeAcceptance(to: head) }
  }

  private func check(_ headers: HTTPHeaders) -> Result<String?, ClientUpgradeError.Flaw> {
    let head = HTTPResponseHead(
      version: .http1_1, status: .switchingProtocols, headers: headers)
    do throws(ClientUpgradeError.Flaw) {
      return .success(try self.request.check(head))
    } catch {
      return .failure(error)
    }
  }

  private static let good: HTTPHeaders = [
    "Upgrade": "WebSocket", "Connection": "Upgrade",
    "Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
  ]

  @Test("A good answer is taken with its subprotocol")
  func accepted() {
    #expect(self.check(Self.good) == .success(nil))
    var headers = Self.good
    headers.add(name: "Sec-WebSocket-Protocol", value: "b")
    #expect(self.check(headers) == .success("b"))
  }

  @Test(
    "An answer with a flaw is refused for it",
    arguments: [
      ("upgrade", [], .upgrade), ("upgrade", ["h2c"], .upgrade), ("connection", [], .connection),
      ("sec-websocket-accept", [], .accept), ("sec-websocket-accept", ["x"], .accept),
      ("sec-websocket-protocol", ["c"], .subprotocol),
      ("sec-websocket-protocol", ["a", "b"], .subprotocol),
      ("sec-websocket-protocol", ["a, b"], .subprotocol),
      ("sec-websocket-extensions", ["permessage-deflate"], .extensions),
    ] as [(String, [String], ClientUpgradeError.Flaw)])
  func refused(name: String, values: [String], flaw: ClientUpgradeError.Flaw) {
    var headers = Self.good
    headers.remove(name: name)
    for value in values {
      headers.add(name: name, value: value)
    }
    #expect(self.check(headers) == .failure(flaw))
  }
}
