package import HubClient

/// Channels in aligned columns, a heading above.
package enum ChannelTable {
  private static let heading = ["CHANNEL", "KIND", "MEMBERS", "SEQ", "UNREAD", "ROLE", "NAME"]

  package static func lines(_ channels: [HubChannel]) -> [String] {
    align([heading] + channels.map(cells))
  }

  private static func cells(_ channel: HubChannel) -> [String] {
    let cells = [
      channel.channel, channel.kind?.rawValue ?? "?", "\(channel.memberCount)",
      "\(channel.position.seq)", channel.unread.map { $0 >= 1000 ? "1000+" : "\($0)" } ?? "-",
      channel.role ?? "-", channel.name ?? "",
    ]
    return cells.map { TerminalText.escape($0) }
  }

  /// Pads all columns but the last, whose characters may be wider than one place.
  static func align(_ rows: [[String]]) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        line += cell
        guard column + 1 < row.count else { continue }
        line += String(repeating: " ", count: widths[column] - cell.count + 2)
      }
      return line
    }
  }
}
