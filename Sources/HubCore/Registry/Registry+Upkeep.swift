import HubProtocol

/// Records that nobody asked for: what the hub itself needs to go on.
extension Registry {
  mutating func found(_ stream: String, _ hashKey: SipHash.Key) -> Applied {
    // A registry is founded once.
    guard self.stream.isEmpty else { return .nothing }
    self.stream = stream
    keys = KeyTable(hashKey: hashKey)
    return .nothing
  }

  /// Gives every channel a new epoch: the numbering can no longer be vouched for (protocol,
  /// "Subscribing and recovery").
  mutating func renewEpochs(_ seed: SipHash.Key) -> Applied {
    var ids = IDSource(seed: (seed.low, seed.high))
    stream = ids.next()
    for index in 0..<UInt32(channels.count) { channels[index].epoch = ids.next() }
    return .nothing
  }

  mutating func clearWindows(of refs: [ChannelRef]) -> Applied {
    for channel in refs where channel.index < UInt32(channels.count) {
      let weight = channels[channel.index].window.weight
      channels[channel.index].window.clear()
      windowChanged(by: channels[channel.index].window.weight - weight)
    }
    return .nothing
  }

  mutating func expire(_ expiries: [Record.Expiry]) -> Applied {
    var done: [Record.Expiry] = []
    for expiry in expiries where expiry.channel.index < UInt32(channels.count) {
      let index = expiry.channel.index
      let seq = min(expiry.seq, channels[index].seq)
      guard !channels[index].isDeleted, seq > channels[index].floor else { continue }
      let weight = channels[index].window.weight
      channels[index].expire(upTo: seq)
      channels[index].changedAt = recordCount
      windowChanged(by: channels[index].window.weight - weight)
      done.append(Record.Expiry(channel: expiry.channel, seq: seq))
    }
    return .expired(done)
  }
}
