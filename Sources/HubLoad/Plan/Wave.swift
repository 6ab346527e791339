/// Users who are opened together; the next wave begins when all of them are done.
package struct Wave: Sendable, Equatable {
  /// One thing a user does on the way to being ready.
  package enum Step: Sendable, Equatable {
    /// Makes a TCP connection.
    case connect
    /// Makes it a WebSocket.
    case upgrade
    case hello
    /// Makes the channels that the user publishes to.
    case create
    /// Joins the channel that the user listens to.
    case join
    case subscribe
  }

  /// What has been reached when the wave is over.
  package let name: String
  package let users: Range<Int>
  package let steps: [Step]

  package init(_ name: String, users: Range<Int>, _ steps: [Step]) {
    self.name = name
    self.users = users
    self.steps = steps
  }
}
