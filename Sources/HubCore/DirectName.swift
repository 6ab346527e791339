import Crypto
import HubProtocol

/// How direct channels are named (protocol, "Channels and membership").
enum DirectName {
  /// `dm:` and half a SHA-256 over length and id, twice, the ids in byte order: the same for both
  /// of them.
  static func make(_ one: UserID, _ other: UserID) -> ChannelName {
    var hash = SHA256()
    for id in [min(one, other), max(one, other)] {
      hash.update(data: [UInt8(id.text.utf8.count)])
      hash.update(data: Array(id.text.utf8))
    }
    return ChannelName(directDigest: Array(hash.finalize().prefix(16)))
  }
}
