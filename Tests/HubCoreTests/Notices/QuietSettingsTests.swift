import HubCore
import HubProtocol
import Testing

@Suite("Protocol, Users: do-not-disturb by the settings")
struct QuietSettingsTests {
  private let noon = moment("2026-11-16T12:00:00Z")

  @Test("who has set nothing is never quiet")
  func nothing() {
    #expect(!UserSettings().isQuiet(at: noon, zones: Zones.all))
  }

  @Test("`dnd_until_ts` holds up to that moment")
  func until() {
    var settings = UserSettings()
    settings.quietUntil = noon
    #expect(settings.isQuiet(at: noon.advanced(byMilliseconds: -1), zones: Zones.all))
    #expect(!settings.isQuiet(at: noon, zones: Zones.all))
    #expect(!settings.isQuiet(at: noon.advanced(byMilliseconds: 1), zones: Zones.all))
  }

  @Test("any one period is enough, each in its own zone")
  func periods() {
    var settings = UserSettings()
    settings.quietPeriods = [
      QuietPeriod([.monday], "13:00", "13:01", "Europe/Oslo"),
      QuietPeriod([.monday], "17:31", "17:32", "Asia/Kolkata"),
    ]
    let minutes = (-2...2).filter { minute in
      let at = noon.advanced(byMilliseconds: minute * 60_000)
      return settings.isQuiet(at: at, zones: Zones.all)
    }
    #expect(minutes == [0, 1])
  }

  @Test("a time that has passed leaves the periods in force")
  func both() {
    var settings = UserSettings()
    settings.quietUntil = moment("2026-11-16T11:00:00Z")
    settings.quietPeriods = [QuietPeriod([.monday], "12:00", "13:00")]
    #expect(settings.isQuiet(at: noon, zones: Zones.all))
    #expect(!settings.isQuiet(at: moment("2026-11-16T11:00:00Z"), zones: Zones.all))
  }

  @Test("a period in a zone that nobody knows is never under way; others are")
  func unknownZone() {
    var settings = UserSettings()
    settings.quietPeriods = [
      QuietPeriod(QuietPeriod.Day.allCases, "00:00", "00:00", "Nowhere/Nothing")
    ]
    #expect(!settings.isQuiet(at: noon, zones: Zones.all))
    settings.quietPeriods.append(QuietPeriod([.monday], "12:00", "13:00"))
    #expect(settings.isQuiet(at: noon, zones: Zones.all))
  }
}
