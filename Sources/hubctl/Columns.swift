/// Rows of cells in aligned columns.
package enum Columns {
  /// One line for each row. All columns but the last are padded; the last one's characters may be
  /// wider than one place. Cells are escaped (``TerminalText``).
  package static func align(_ rows: [[String]]) -> [String] {
    let rows = rows.map { row in row.map { TerminalText.escape($0) } }
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
