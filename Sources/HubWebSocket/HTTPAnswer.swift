package import NIOCore
package import NIOHTTP1

/// A complete HTTP response to a request that does not become a WebSocket.
package struct HTTPAnswer: Sendable, Equatable {
  package var status: HTTPResponseStatus
  /// `content-length` and `connection: close` are added when it is sent. A `connection: close`
  /// already here ends the connection behind the answer.
  package var headers: HTTPHeaders
  /// Left out when the request was HEAD, but counted in `content-length`.
  package var body: ByteBuffer

  package init(
    status: HTTPResponseStatus, headers: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer()
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A sentence as `text/plain`; a line feed is added.
  package static func text(
    _ status: HTTPResponseStatus, _ sentence: String, headers: HTTPHeaders = [:]
  ) -> HTTPAnswer {
    var headers = headers
    headers.replaceOrAdd(name: "content-type", value: "text/plain; charset=utf-8")
    return HTTPAnswer(
      status: status, headers: headers, body: ByteBuffer(string: sentence + "\n"))
  }
}
