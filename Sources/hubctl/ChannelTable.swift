package import HubClient

/// Channels in aligned columns, a heading above.
package enum ChannelTable {
  private static let heading = ["CHANNEL", "KIND", "MEMBERS", "SEQ", "UNREAD", "ROLE", "NAME"]

  package static func lines(_ channels: [HubChannel]) -> [String] {
    Columns.align([heading] + channels.map(cells))
  }

  private static func cells(_ channel: HubChannel) -> [String] {
    [
      channel.channel, channel.kind?.rawValue ?? "?", "\(channel.memberCount)",
      "\(channel.position.seq)", channel.unread.map { $0 >= 1000 ? "1000+" : "\($0)" } ?? "-",
      channel.role ?? "-", channel.name ?? "",
    ]
  }
}
