internal import HubClient

/// An error that concerns one channel among those of a command.
struct ChannelError: Error {
  let channel: String
  let error: HubError

  /// Does `body`; an error of the hub or the client comes out with the channel's name.
  static func naming<Value>(
    _ channel: String, _ body: () async throws(HubError) -> Value
  ) async throws(ChannelError) -> Value {
    do {
      return try await body()
    } catch {
      throw ChannelError(channel: channel, error: error)
    }
  }
}
