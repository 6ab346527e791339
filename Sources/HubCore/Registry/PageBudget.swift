import HubProtocol

/// How many bytes of items a page may still take, so that no reply grows beyond
/// `Limits.outboundBytes`.
struct PageBudget {
  private var left = Limits.pageBytes
  private var isEmpty = true

  /// Takes an item of that weight; the first always fits.
  mutating func takes(_ weight: Int) -> Bool {
    guard isEmpty || weight <= left else { return false }
    isEmpty = false
    left -= weight
    return true
  }
}
