/// Numbers as people read them.
enum Figure {
  /// With the digits that matter: none behind the point from 1,000 on, three below 1; and thousands
  /// set apart.
  static func text(_ value: Double) -> String {
    switch abs(value) {
    case 1_000...: grouped(Int(value.rounded()))
    case 100...: fixed(value, digits: 1)
    case 1...: fixed(value, digits: 2)
    default: fixed(value, digits: 3)
    }
  }

  static func grouped(_ value: Int) -> String {
    var text = ""
    for (index, digit) in String(value.magnitude).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (value < 0 ? "-" : "") + String(text.reversed())
  }

  private static func fixed(_ value: Double, digits: Int) -> String {
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((abs(value) * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return (value < 0 ? "-" : "") + "\(scaled / scale).\(zeros)\(fraction)"
  }
}
