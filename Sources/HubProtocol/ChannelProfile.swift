/// What a channel shows of itself.
package struct ChannelProfile: Equatable, Sendable {
  /// Display name; when nil the channel's own name stands in, in a direct channel the other
  /// person's.
  package var name: String?
  /// A sentence or two about the channel, at most `Limits.detailsBytes`.
  package var details: String?
  /// An `http` or `https` URL.
  package var avatar: String?
  /// A JSON object of the app's own, kept byte for byte.
  package var custom: RawJSON?

  package init(
    name: String? = nil, details: String? = nil, avatar: String? = nil, custom: RawJSON? = nil
  ) {
    self.name = name
    self.details = details
    self.avatar = avatar
    self.custom = custom
  }
}
