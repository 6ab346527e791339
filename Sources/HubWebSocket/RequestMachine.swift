package import NIOHTTP1

/// The requests of one connection, one after the other, until one becomes a WebSocket or the
/// connection ends (RFC 9112 §9.3): parts of requests go in, what the shell must do comes out.
package struct RequestMachine: ~Copyable {
  /// What is to become of a request, known when its head is there.
  package enum Verdict: Sendable, Equatable {
    case plain
    case refuse(HTTPAnswer)
    case upgrade(UpgradeAcceptance)
  }

  /// What the shell must do.
  package enum Action: Sendable, Equatable {
    case none
    /// Ask the application for the answer and send it.
    case answerPlain(HTTPRequestHead, closes: Bool)
    /// Send this answer, then nothing more.
    case answerAndClose(HTTPAnswer, toHEAD: Bool)
    /// Parse no more HTTP; say when the bytes read so far were all taken.
    case stopParsing
    /// Send the 101 and hand the connection over.
    case upgrade(HTTPRequestHead, UpgradeAcceptance)
    /// Close TCP now.
    case closeConnection
  }

  private enum State {
    /// Between requests. → `receiving`, `closing`
    case idle
    /// The head of a request is there, its end is not. → `idle`, `upgrading`, `closing`
    case receiving(HTTPRequestHead, Verdict, bodyBytes: Int)
    /// The request is a good handshake; HTTP ends with it. → `closing`
    case upgrading(HTTPRequestHead, UpgradeAcceptance)
    /// The last answer is given; what still comes is discarded. Final.
    case closing(discarded: Int)
  }

  private var state = State.idle
  /// Answers given since the client last kept up with them.
  private var waitingAnswers = 0
  private let maxBodyBytes: Int

  /// The most answers that may wait for a client that does not read; with the next one the
  /// connection closes.
  package static let maxWaitingAnswers = 32
  /// The most bytes of bodies discarded behind the last answer.
  package static let maxDiscardedBytes = 16 * 1024 * 1024

  package init(maxBodyBytes: Int) {
    self.maxBodyBytes = maxBodyBytes
  }

  /// Whether a request is wanted or under way, so that the request deadline holds.
  package var isReceiving: Bool {
    switch self.state {
    case .idle, .receiving: true
    case .upgrading, .closing: false
    }
  }
}

// MARK: - What happened

extension RequestMachine {
  package mutating func received(_ head: HTTPRequestHead, _ verdict: Verdict) -> Action {
    switch self.state {
    case .idle:
      if case .refuse(let answer) = verdict {
        self.state = .closing(discarded: 0)
        return .answerAndClose(answer, toHEAD: head.method == .HEAD)
      }
      let announced = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
      guard announced <= self.maxBodyBytes, !head.headers.contains(name: "expect") else {
        self.state = .closing(discarded: 0)
        return .answerPlain(head, closes: true)
      }
      self.state = .receiving(head, verdict, bodyBytes: 0)
      return .none
    case .receiving, .closing: return .none
    case .upgrading: return self.fail(with: nil)
    }
  }

  package mutating func receivedBody(_ bytes: Int) -> Action {
    switch self.state {
    case .idle: return .none
    case .receiving(let head, let verdict, let before):
      guard before + bytes > self.maxBodyBytes else {
        self.state = .receiving(head, verdict, bodyBytes: before + bytes)
        return .none
      }
      self.state = .closing(discarded: 0)
      return .answerPlain(head, closes: true)
    case .upgrading: return self.fail(with: nil)
    case .closing(let before):
      self.state = .closing(discarded: before + bytes)
      return before + bytes > Self.maxDiscardedBytes ? .closeConnection : .none
    }
  }

  /// - Parameter isWritable: whether the client keeps up with the answers before.
  package mutating func receivedEnd(isWritable: Bool) -> Action {
    switch self.state {
    case .receiving(let head, .upgrade(let acceptance), _):
      self.state = .upgrading(head, acceptance)
      return .stopParsing
    case .receiving(let head, .plain, _), .receiving(let head, .refuse, _):
      self.waitingAnswers = isWritable ? 0 : self.waitingAnswers + 1
      // NIO parses nothing behind a request with `Upgrade`, and CONNECT ends HTTP.
      let ends =
        !head.isKeepAlive || head.headers.contains(name: "upgrade") || head.method == .CONNECT
        || self.waitingAnswers > Self.maxWaitingAnswers
      self.state = ends ? .closing(discarded: 0) : .idle
      return .answerPlain(head, closes: ends)
    case .idle, .closing: return .none
    case .upgrading: return self.fail(with: nil)
    }
  }

  /// Everything the socket had was taken.
  package mutating func readCompleted() -> Action {
    switch self.state {
    case .idle, .receiving, .closing: return .none
    case .upgrading(let head, let acceptance):
      self.state = .closing(discarded: 0)
      return .upgrade(head, acceptance)
    }
  }

  /// The bytes are not HTTP, or pass the limits of a head.
  package mutating func failed(tooLarge: Bool) -> Action {
    switch self.state {
    case .idle, .receiving, .upgrading:
      self.fail(
        with: tooLarge
          ? .text(.requestHeaderFieldsTooLarge, "The request head is too large.")
          : .text(.badRequest, "The request is not valid HTTP."))
    case .closing: .none
    }
  }

  /// The application wants to end the connection behind this answer.
  package mutating func answeredLast() {
    self.state = .closing(discarded: 0)
  }

  private mutating func fail(with answer: HTTPAnswer?) -> Action {
    self.state = .closing(discarded: 0)
    let answer = answer ?? .text(.badRequest, "HTTP must not follow the handshake.")
    return .answerAndClose(answer, toHEAD: false)
  }
}
