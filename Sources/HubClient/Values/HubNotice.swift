internal import HubProtocol

/// A new message that this connection is to show, while its user looks at something else
/// (protocol, "Notices"). The hub decides who gets one, and how it is shown.
public struct HubNotice: Hashable, Sendable {
  /// How a notice stands on the screen.
  public enum Surface: String, Hashable, Sendable, CaseIterable {
    /// Title and preview appear for a moment.
    case toast
    /// A mark in the list of conversations, and nothing that interrupts.
    case badge
  }

  /// How it is shown.
  public let surface: Surface
  /// Where the message stands.
  public let channel: String
  /// The message's number there.
  public let seq: Int
  /// The sender's name; outside direct channels with the channel's in front.
  public let title: String
  /// The beginning of the text, or what stands for a message without one.
  public let preview: String
  /// Who sent it; nil where it was not told.
  public let sender: HubUser?
  /// The channel's kind; nil for one that this version does not know.
  public let kind: HubChannel.Kind?

  init?(_ object: JSONObject) {
    guard let surface = object.string("surface").flatMap({ Surface(rawValue: $0) }),
      let channel = object.string("channel"), let seq = object.integer("seq")
    else { return nil }
    self.surface = surface
    self.channel = channel
    self.seq = seq
    title = object.string("title") ?? ""
    preview = object.string("preview") ?? ""
    sender = object.json("sender").flatMap { HubUser(json: $0) }
    kind = object.string("kind").flatMap { HubChannel.Kind(rawValue: $0) }
  }
}
