/// The arguments of `user.settings` (protocol, "Users").
extension Arguments {
  func settingsUpdate() throws(Refusal) -> SettingsUpdate {
    var update = SettingsUpdate()
    update.directPolicy = try choice(.dmPolicy)
    update.showsReceipts = try bool(.receipts)
    update.showsTyping = try bool(.typing)
    update.quietUntil = try quietUntil()
    update.quietPeriods = try quietPeriods()
    _ = try object(.mute) { (mute) throws(Refusal) in
      update.mutedTypes = try mute.mutedTypes()
      update.mutedUsers = try mute.users(.users, atMost: Limits.listEntries)
      update.mutedChannels = try mute.channels()
    }
    return update
  }

  /// 0 clears.
  private func quietUntil() throws(Refusal) -> Update<Timestamp> {
    let until = try timestamp(.dndUntilTs)
    return update(.dndUntilTs, until?.milliseconds == 0 ? nil : until)
  }

  private func mutedTypes() throws(Refusal) -> [String]? {
    try list(.types, atMost: Limits.listEntries) { (slice) throws(Refusal) in
      try word(slice, of: .types, atMost: Limits.typeBytes)
    }
  }

  private func quietPeriods() throws(Refusal) -> [QuietPeriod]? {
    var periods: [QuietPeriod] = []
    let name = ArgumentName.dndSchedule
    let isThere = try forEach(name, atMost: Limits.listEntries) { (slice) throws(Refusal) in
      let period = try object(slice, "a list of objects", of: name) { (entry) throws(Refusal) in
        try entry.quietPeriod()
      }
      if !periods.contains(period) { periods.append(period) }
    }
    return isThere ? periods : nil
  }

  private func quietPeriod() throws(Refusal) -> QuietPeriod {
    QuietPeriod(
      days: try days(), from: try timeOfDay(.from), to: try timeOfDay(.to), zone: try zone())
  }

  private func days() throws(Refusal) -> [QuietPeriod.Day] {
    var given: Set<QuietPeriod.Day> = []
    let all = QuietPeriod.Day.allCases
    let isThere = try forEach(.days, atMost: all.count) { (slice) throws(Refusal) in
      guard given.insert(try choice(slice, of: .days)).inserted else {
        throw .badArgument(.days, "a list of different days")
      }
    }
    guard isThere else { throw .missing(.days) }
    guard !given.isEmpty else {
      throw .badArgument(.days, "a list of 1 to \(all.count) entries")
    }
    return all.filter { given.contains($0) }
  }

  /// `HH:MM` as minutes after midnight.
  private func timeOfDay(_ name: ArgumentName) throws(Refusal) -> Int {
    let text = try requiredWord(name, atMost: Limits.labelBytes)
    guard let minutes = TimeOfDay.minutes(text) else {
      throw .badArgument(name, "a time of day from 00:00 to 23:59")
    }
    return minutes
  }

  private func zone() throws(Refusal) -> String {
    let zone = try requiredWord(.tz, atMost: Limits.zoneBytes)
    guard zone.utf8.allSatisfy(ZoneRule.allows) else {
      throw .badArgument(.tz, "the name of a time zone, of A-Z a-z 0-9 _ + - /")
    }
    return zone
  }
}

/// Times of day as `HH:MM`.
enum TimeOfDay {
  /// Minutes after midnight, 0…1,439; nil when `text` is not `HH:MM`.
  static func minutes(_ text: String) -> Int? {
    let digits = text.utf8.map { Int($0) - Int(JSONByte.zero) }
    guard digits.count == 5, text.utf8.dropFirst(2).first == JSONByte.colon,
      [0, 1, 3, 4].allSatisfy({ (0...9).contains(digits[$0]) })
    else { return nil }
    let (hour, minute) = (digits[0] * 10 + digits[1], digits[3] * 10 + digits[4])
    return hour < 24 && minute < 60 ? hour * 60 + minute : nil
  }

  /// `HH:MM`; `minutes` are 0…1,439.
  static func text(_ minutes: Int) -> String {
    let (hour, minute) = (minutes / 60, minutes % 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}

/// The alphabet of IANA's names of time zones.
private enum ZoneRule {
  static func allows(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "/"):
      true
    default:
      false
    }
  }
}
