package import NIOCore

/// The life of one WebSocket connection behind its opening handshake (RFC 6455 §7): what happened
/// goes in, what the shell must do comes out. It owns neither socket, clock nor buffer.
package struct ConnectionMachine: ~Copyable {
  /// What the shell must do.
  package enum Action: Sendable, Equatable {
    case none
    case deliver(WebSocketMessage)
    case sendPong(ByteBuffer)
    case reportPong(ByteBuffer)
    /// Write the frame, read on, and report back when `deadline` has passed.
    case sendClose(CloseFrame, deadline: TimeAmount)
    /// Neither side will deliver anything more.
    case end(Ending)
    /// Close TCP now, having reported what is given.
    case closeConnection(report: WebSocketClosed?)
  }

  /// How to leave: write `frame`, fire `report`, shut our side down behind everything written if
  /// `shutsDownOutput`, discard what still comes, and report back after `deadline`.
  package struct Ending: Sendable, Equatable {
    package let frame: CloseFrame?
    package let report: WebSocketClosed
    package let shutsDownOutput: Bool
    package let deadline: TimeAmount
  }

  private enum State: ~Copyable {
    /// Messages flow both ways. → `closing`, `ending`, `closed`
    case open
    /// We have sent this close frame and wait for the peer's. → `ending`, `closed`
    case closing(CloseFrame)
    /// Nothing is said any more; input is discarded until TCP ends. → `closed`
    case ending(discarded: Int)
    /// TCP is closed, or must be. Final.
    case closed
  }

  private var state: State
  private let rules: Rules

  private struct Rules {
    let isServer: Bool
    let closeDeadline: TimeAmount
    let discardDeadline: TimeAmount
    let discardBytes: Int
  }

  package init(_ configuration: WebSocketConfiguration) {
    let isServer =
      switch configuration.role {
      case .server: true
      case .client: false
      }
    let rules = Rules(
      isServer: isServer, closeDeadline: configuration.closeDeadline,
      discardDeadline: configuration.discardDeadline, discardBytes: configuration.discardBytes)
    self.init(state: .open, rules: rules)
  }

  private init(state: consuming State, rules: Rules) {
    self.state = state
    self.rules = rules
  }

  /// Whether frames may be written.
  package var isOpen: Bool {
    switch self.state {
    case .open: true
    case .closing: false
    case .ending: false
    case .closed: false
    }
  }

  /// Whether received bytes still mean something.
  package var isReading: Bool {
    switch self.state {
    case .open: true
    case .closing: true
    case .ending: false
    case .closed: false
    }
  }

  /// Whether the shell must keep reading even if the application paused it.
  package var mustRead: Bool {
    switch self.state {
    case .open: false
    case .closing: true
    case .ending: true
    case .closed: false
    }
  }
}

// MARK: - What happened

extension ConnectionMachine {
  package mutating func received(_ unit: ReceivedUnit) -> Action {
    switch consume self.state {
    case .open:
      switch unit {
      case .message(let message):
        self = .init(state: .open, rules: self.rules)
        return .deliver(message)
      case .ping(let payload):
        self = .init(state: .open, rules: self.rules)
        return .sendPong(payload)
      case .pong(let payload):
        self = .init(state: .open, rules: self.rules)
        return .reportPong(payload)
      case .close(let frame):
        self = .init(state: .ending(discarded: 0), rules: self.rules)
        return self.answer(frame)
      case .violation(let violation):
        self = .init(state: .ending(discarded: 0), rules: self.rules)
        return self.fail(violation)
      }
    case .closing(let sent):
      switch unit {
      case .message, .ping, .pong:
        self = .init(state: .closing(sent), rules: self.rules)
        return .none
      case .close:
        self = .init(state: .ending(discarded: 0), rules: self.rules)
        return self.finish(sent, shutsDownOutput: self.rules.isServer)
      case .violation:
        self = .init(state: .ending(discarded: 0), rules: self.rules)
        return self.finish(sent, shutsDownOutput: true)
      }
    case .ending(let discarded):
      self = .init(state: .ending(discarded: discarded), rules: self.rules)
      return .none
    case .closed:
      self = .init(state: .closed, rules: self.rules)
      return .none
    }
  }

  /// Bytes that arrived while nothing is read any more.
  package mutating func discarded(_ bytes: Int) -> Action {
    switch consume self.state {
    case .open:
      self = .init(state: .open, rules: self.rules)
      return .none
    case .closing(let sent):
      self = .init(state: .closing(sent), rules: self.rules)
      return .none
    case .ending(let before):
      guard before + bytes > self.rules.discardBytes else {
        self = .init(state: .ending(discarded: before + bytes), rules: self.rules)
        return .none
      }
      self = .init(state: .closed, rules: self.rules)
      return .closeConnection(report: nil)
    case .closed:
      self = .init(state: .closed, rules: self.rules)
      return .none
    }
  }

  /// TCP ended, orderly or not.
  package mutating func receivedEOF() -> Action {
    self.close(open: WebSocketClosed(code: nil, reason: "", initiator: .abrupt))
  }

  /// The deadline of the last action that had one passed.
  package mutating func deadlinePassed() -> Action {
    guard self.mustRead else { return .none }
    return self.close(open: WebSocketClosed(code: nil, reason: "", initiator: .us))
  }
}

// MARK: - What the application asks

extension ConnectionMachine {
  /// Begins the close handshake; nothing if it has begun already.
  package mutating func close(with frame: CloseFrame) -> Action {
    switch consume self.state {
    case .open:
      self = .init(state: .closing(frame), rules: self.rules)
      return .sendClose(frame, deadline: self.rules.closeDeadline)
    case .closing(let sent):
      self = .init(state: .closing(sent), rules: self.rules)
      return .none
    case .ending(let discarded):
      self = .init(state: .ending(discarded: discarded), rules: self.rules)
      return .none
    case .closed:
      self = .init(state: .closed, rules: self.rules)
      return .none
    }
  }

  /// Drops the connection without a word.
  package mutating func abort() -> Action {
    self.close(open: WebSocketClosed(code: nil, reason: "", initiator: .us))
  }
}

// MARK: - Ways to end

extension ConnectionMachine {
  /// Closes in any state; `report` is what to tell when no close frame went either way.
  private mutating func close(open report: WebSocketClosed) -> Action {
    switch consume self.state {
    case .open:
      self = .init(state: .closed, rules: self.rules)
      return .closeConnection(report: report)
    case .closing(let sent):
      self = .init(state: .closed, rules: self.rules)
      return .closeConnection(report: WebSocketClosed(sent, initiator: .us))
    case .ending:
      self = .init(state: .closed, rules: self.rules)
      return .closeConnection(report: nil)
    case .closed:
      self = .init(state: .closed, rules: self.rules)
      return .none
    }
  }

  /// Echoes the peer's code without its reason (§5.5.1); the server then ends TCP (§7.1.1).
  private borrowing func answer(_ frame: CloseFrame) -> Action {
    let echo = frame.code.map { CloseFrame(code: $0) } ?? .empty
    return .end(
      Ending(
        frame: echo, report: WebSocketClosed(frame, initiator: .peer),
        shutsDownOutput: self.rules.isServer,
        deadline: self.rules.isServer ? self.rules.discardDeadline : self.rules.closeDeadline))
  }

  private borrowing func fail(_ violation: Violation) -> Action {
    let frame = CloseFrame(code: violation.closeCode, reason: violation.sentence)
    return .end(
      Ending(
        frame: frame, report: WebSocketClosed(frame, initiator: .us), shutsDownOutput: true,
        deadline: self.rules.discardDeadline))
  }

  private borrowing func finish(_ sent: CloseFrame, shutsDownOutput: Bool) -> Action {
    .end(
      Ending(
        frame: nil, report: WebSocketClosed(sent, initiator: .us),
        shutsDownOutput: shutsDownOutput,
        deadline: shutsDownOutput ? self.rules.discardDeadline : self.rules.closeDeadline))
  }
}
