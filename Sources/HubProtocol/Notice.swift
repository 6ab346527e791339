/// How a notice stands on the screen (protocol, "Notices").
package enum NoticeSurface: String, Sendable, CaseIterable {
  /// Title and preview appear for a moment over what the person looks at.
  case toast
  /// A mark in the list of conversations, and nothing that interrupts.
  case badge
}

/// A new message that one of its reader's connections is to show (protocol, "Notices").
package struct Notice: Equatable, Sendable {
  package let surface: NoticeSurface
  package let channel: ChannelName
  package let seq: Int
  /// The sender's name; outside direct channels with the channel's in front.
  package let title: String
  /// At most 50 characters of the text and `...`, or what stands for a message without one.
  package let preview: String
  package let sender: User
  /// The channel's.
  package let kind: ChannelKind

  package init(
    surface: NoticeSurface, channel: ChannelName, seq: Int, title: String, preview: String,
    sender: User, kind: ChannelKind
  ) {
    self.surface = surface
    self.channel = channel
    self.seq = seq
    self.title = title
    self.preview = preview
    self.sender = sender
    self.kind = kind
  }
}
