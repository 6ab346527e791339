/// Texts that search must still learn, kept in memory so that they need not be read again, by
/// their numbers. What is not here is in the file.
struct FreshTexts {
  /// Bytes of texts above which all of them are forgotten.
  private static let mostBytes = 16 << 20

  private var first = 0
  private var texts: [String?] = []
  private var bytes = 0

  /// The text with that number; nil when it is not known.
  subscript(number: Int) -> String? {
    get { texts.indices.contains(number - first) ? texts[number - first] : nil }
    set {
      if texts.isEmpty { first = number }
      guard number >= first else { return }
      let place = number - first
      if place >= texts.count {
        texts.append(contentsOf: repeatElement(nil, count: place - texts.count + 1))
      }
      bytes += (newValue?.utf8.count ?? 0) - (texts[place]?.utf8.count ?? 0)
      texts[place] = newValue
      if bytes > Self.mostBytes { removeAll() }
    }
  }

  /// Forgets what search knows by now.
  mutating func remove(upTo number: Int) {
    guard number >= first else { return }
    let count = min(texts.count, number - first + 1)
    for text in texts[..<count] { bytes -= text?.utf8.count ?? 0 }
    texts.removeFirst(count)
    first = number + 1
  }

  mutating func removeAll() { self = FreshTexts() }
}
