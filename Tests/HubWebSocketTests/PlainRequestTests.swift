import HubWebSocket
import NIOCore
import NIOEmbedded
import Testing

@Suite("RFC 9112 Plain requests on the same port")
struct PlainRequestTests {
  @Test("Pipelined requests are answered in order on one connection")
  func pipelined() throws {
    let server = try ServerEnd()
    let answer = try server.exchange(
      "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
        + "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12345"
        + "HEAD /c HTTP/1.1\r\nHost: a\r\n\r\nGET /missing HTTP/1.1\r\nHost: a\r\n\r\n")
    let bodies = answer.components(separatedBy: "HTTP/1.1 ").dropFirst()
    #expect(bodies.map { String($0.prefix(3)) } == ["200", "200", "200", "404"])
    #expect(bodies.map { $0.contains("content-length: 3\r\n") } == [true, true, true, false])
    #expect(bodies.map { $0.hasSuffix("\r\n\r\n") } == [false, false, true, false])
    #expect(server.channel.isActive && server.socket.shutDowns == 0)
    #expect(try server.exchange(ServerEnd.handshake).hasPrefix("HTTP/1.1 101"))
  }

  @Test(
    "Connection: close, HTTP/1.0, an upgrade elsewhere and CONNECT end with the answer",
    arguments: [
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
      ServerEnd.handshake.replacing("/ws", with: "/other"), "CONNECT a:1 HTTP/1.1\r\n\r\n",
      "PUT / HTTP/1.1\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n",
    ])
  func ends(request: String) throws {
    let server = try ServerEnd()
    let answer = try server.exchange(request + "GET /late HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains("connection: close\r\n"))
    #expect(!answer.contains("/late") && server.socket.shutDowns == 1)
    server.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
    #expect(!server.channel.isActive)
  }

  @Test("A body past 64 KiB is answered at once and ends the connection", arguments: [true, false])
  func largeBody(isAnnounced: Bool) throws {
    let server = try ServerEnd()
    let size = isAnnounced ? "Content-Length: 70000" : "Transfer-Encoding: chunked"
    let chunk = isAnnounced ? "" : "11170\r\n"
    let answer = try server.exchange(
      "POST /b HTTP/1.1\r\nHost: a\r\n\(size)\r\n\r\n\(chunk)"
        + String(repeating: "x", count: 69_999))
    #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains("connection: close\r\n"))
    #expect(server.socket.shutDowns == 1)
  }

  @Test(
    "A head past its limits is answered 431",
    arguments: [
      "X: \(String(repeating: "x", count: 8200))\r\n",
      String(repeating: "X: \(String(repeating: "x", count: 4000))\r\n", count: 5),
      String(repeating: "X: y\r\n", count: 101),
    ])
  func tooLarge(fields: String) throws {
    let server = try ServerEnd()
    let answer = try server.exchange("GET / HTTP/1.1\r\n\(fields)\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 431 ") && server.socket.shutDowns == 1)
  }

  @Test(
    "What is not HTTP is answered 400",
    arguments: [
      "hello\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nbad header\r\n\r\n",
      "\u{16}\u{3}\u{1}\u{2}\u{0}",
    ])
  func malformed(request: String) throws {
    let server = try ServerEnd()
    let answer = try server.exchange(request)
    #expect(answer.hasPrefix("HTTP/1.1 400 ") && server.socket.shutDowns == 1)
  }

  @Test("A client that pipelines without reading is cut off after 32 answers")
  func unreadAnswers() throws {
    let server = try ServerEnd()
    server.channel.isWritable = false
    let answer = try server.exchange(
      String(repeating: "GET /a HTTP/1.1\r\nHost: a\r\n\r\n", count: 100))
    #expect(answer.components(separatedBy: "HTTP/1.1 200").count - 1 == 33)
  }
}

extension String {
  /// The parts between occurrences of a separator.
  fileprivate func components(separatedBy separator: String) -> [String] {
    self.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
