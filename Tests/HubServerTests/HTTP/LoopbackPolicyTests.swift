import HubServer
import HubWebSocket
import NIOHTTP1
import Testing

@Suite("protocol, Session: a development hub answers loopback hosts and origins only")
struct LoopbackPolicyTests {
  static let goodHosts = [
    "localhost", "127.0.0.1", "127.1.2.3", "127.255.255.255", "127.0.0.0", "::1",
  ]
  static let badHosts = [
    "", " ", "localhost ", "localhost.", "localhost.evil.com", "evil-localhost", "evil.com",
    "127.0.0.1.evil.com", "127.0.0.1.", ".127.0.0.1", "127.0.0", "127.1", "127..0.1", "127.0.0.256",
    "127.0.0.-0", "+127.0.0.1", "127.0.0.+1", "127.0.0.0x1", "127.0.0.１", "128.0.0.1", "0.0.0.0",
    "10.0.0.1", "192.168.1.2", "2130706433", "::", "::2", "fe80::1", "::ffff:8.8.8.8", "1::1",
  ]

  @Test("takes every name of this machine's own interface", arguments: goodHosts)
  func goodHost(host: String) {
    #expect(LoopbackPolicy.isLoopback(host: host[...]))
  }

  @Test("takes no other name", arguments: badHosts)
  func badHost(host: String) {
    #expect(!LoopbackPolicy.isLoopback(host: host[...]))
  }

  @Test(
    "takes an authority with a port, brackets, and in any case",
    arguments: [
      "localhost", "LocalHost", "LOCALHOST:8080", "localhost:", "localhost:0", "127.0.0.1:8080",
      "127.1.2.3:65535", "[::1]", "[::1]:8080", "[::1]:",
    ])
  func goodAuthority(authority: String) {
    #expect(LoopbackPolicy.isLoopback(authority: authority))
    #expect(LoopbackPolicy.isLoopback(origin: "http://" + authority))
    #expect(LoopbackPolicy.isLoopback(origin: "HTTPS://" + authority))
  }

  static let badAuthorities = [
    "", ":", ":8080", "localhost.evil.com", "localhost.evil.com:8080", "127.0.0.1.evil.com",
    "localhost@evil.com", "127.0.0.1@evil.com", "127.0.0.1:80@evil.com", "user@localhost",
    "user:pass@localhost", "localhost:80:80", "localhost:80evil.com", "localhost:-1",
    "localhost: 80", "localhost:٣", "[::1", "::1", "::1]", "[::1]evil.com", "[::1].evil.com",
    "[::1]:80@evil.com", "[::2]", "[]", "[", "[::1%25eth0]", "localhost/", "localhost#",
    "localhost?",
    "localhost\\@evil.com", "localhost,evil.com", "evil.com", "0.0.0.0:8080", "evil.com:127.0.0.1",
    "127.0.0.1\u{0}", "loca\u{301}lhost", "ⓛocalhost", "localhost%00",
  ]

  @Test("takes no other authority, whatever it looks like", arguments: badAuthorities)
  func badAuthority(authority: String) {
    #expect(!LoopbackPolicy.isLoopback(authority: authority))
    #expect(!LoopbackPolicy.isLoopback(origin: "http://" + authority))
  }

  @Test(
    "takes no origin but http and https",
    arguments: [
      "", "null", "localhost", "127.0.0.1", "//localhost", "http:localhost", "http:/localhost",
      "file://", "file://localhost", "ftp://localhost", "chrome-extension://localhost",
      "ws://localhost", "javascript://localhost", " http://localhost", "http:// localhost",
      "http://127.0.0.1@evil.com", "http://localhost/evil", "http://localhost http://evil.com",
    ])
  func badOrigin(origin: String) {
    #expect(!LoopbackPolicy.isLoopback(origin: origin))
  }

  private func refusal(_ headers: [(String, String)]) -> HTTPResponseStatus? {
    let head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: "/v1/ws", headers: HTTPHeaders(headers))
    return LoopbackPolicy().refusal(of: head)?.status
  }

  @Test("lets a request from here pass")
  func pass() {
    #expect(refusal([("Host", "localhost:8080")]) == nil)
    #expect(refusal([("Host", "[::1]:8080"), ("Origin", "http://127.0.0.1:3000")]) == nil)
  }

  @Test(
    "answers 403 to any other",
    arguments: [
      [("Host", "evil.com")],
      [("Host", "")],
      [("Host", "localhost"), ("Origin", "null")],
      [("Host", "localhost"), ("Origin", "")],
      [("Host", "localhost"), ("Origin", "https://evil.com")],
      [("Host", "evil.com"), ("Origin", "http://localhost")],
      [("Host", "localhost"), ("Host", "evil.com")],
      [("Origin", "http://localhost"), ("Origin", "http://evil.com"), ("Host", "localhost")],
      [("hOST", "evil.com")],
    ])
  func refuse(headers: [(String, String)]) {
    #expect(refusal(headers) == .forbidden)
  }
}
