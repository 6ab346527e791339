import HubServer
import HubStorage
import Testing

/// Settings with which a hub starts.
private let sound = ["dev": "true", "durability": "none"]

private func read(
  _ settings: [String: String], cores: Int = 2
) throws(ConfigurationProblems) -> ServerConfiguration {
  try ServerConfiguration(cores: cores) { settings[$0] }
}

private func problems(_ settings: [String: String]) -> [ConfigurationProblem] {
  do throws(ConfigurationProblems) {
    _ = try read(settings)
    return []
  } catch {
    return error.problems
  }
}

@Suite("cli, hub serve: settings")
struct ServerConfigurationTests {
  @Test("the defaults are those of the contract")
  func defaults() {
    let configuration = ServerConfiguration(cores: 2)
    #expect(configuration.host == "127.0.0.1")
    #expect(configuration.port == 8_080)
    #expect(configuration.dataDirectory == "./hub-data")
    #expect(!configuration.isDevelopment)
    #expect(configuration.durability == .commit)
    #expect(!configuration.acceptsDataLoss)
    #expect(configuration.loops == 2)
    #expect(configuration.windowMemory == ByteCount("1GiB"))
    #expect(configuration.requestsPerSecond == 100)
    #expect(configuration.snapshotInterval == .seconds(300))
    #expect(configuration.heartbeat == .seconds(25))
  }

  @Test("there is a loop for each core, and at least one", arguments: [(0, 1), (1, 1), (64, 64)])
  func loops(cores: Int, loops: Int) {
    #expect(ServerConfiguration(cores: cores).loops == loops)
  }

  @Test("the settings are those of the contract, and no other is asked for")
  func keys() throws {
    var asked: Set<String> = []
    _ = try ServerConfiguration(cores: 1) { key in
      asked.insert(key)
      return sound[key]
    }
    #expect(asked == Set(ServerConfiguration.keys))
    #expect(
      ServerConfiguration.keys == [
        "host", "port", "data-dir", "dev", "durability", "accept-data-loss", "loops",
        "window-memory", "rate-limit", "snapshot-interval", "retention", "retention-interval",
      ])
  }

  @Test("what is not set keeps its default")
  func onlySound() throws {
    var expected = ServerConfiguration(cores: 2)
    expected.isDevelopment = true
    expected.durability = .none
    #expect(try read(sound) == expected)
  }

  @Test("every setting takes its values")
  func all() throws {
    let settings = [
      "host": "::1", "port": "0", "data-dir": "/var/lib/hub", "dev": "yes", "durability": "none",
      "accept-data-loss": "1", "loops": "7", "window-memory": "512MiB", "rate-limit": "off",
      "snapshot-interval": "90s",
    ]
    var expected = ServerConfiguration(cores: 2)
    expected.host = "::1"
    expected.port = 0
    expected.dataDirectory = "/var/lib/hub"
    expected.isDevelopment = true
    expected.durability = .none
    expected.acceptsDataLoss = true
    expected.loops = 7
    expected.windowMemory = ByteCount(bytes: 536_870_912)
    expected.requestsPerSecond = nil
    expected.snapshotInterval = .seconds(90)
    #expect(try read(settings) == expected)
  }

  @Test(
    "good values at their bounds",
    arguments: [
      ("host", "localhost"), ("host", "127.9.9.9"), ("port", "0"), ("port", "65535"),
      ("data-dir", "a b"), ("dev", "TRUE"), ("dev", "on"), ("dev", "1"),
      ("accept-data-loss", "off"),
      ("accept-data-loss", "No"), ("loops", "1"), ("loops", "256"), ("window-memory", "1MiB"),
      ("window-memory", "4TiB"), ("rate-limit", "1"), ("rate-limit", "1000000"),
      ("rate-limit", "off"), ("snapshot-interval", "1s"), ("snapshot-interval", "30d"),
    ])
  func good(key: String, value: String) {
    #expect(problems(sound.merging([key: value]) { $1 }) == [])
  }

  @Test(
    "a value that does not fit is named with its key and the rule",
    arguments: [
      ("host", "", "an address or a host name"),
      ("port", "65536", "a port from 0 to 65535"),
      ("port", "-1", "a port from 0 to 65535"),
      ("port", "", "a port from 0 to 65535"),
      ("port", "http", "a port from 0 to 65535"),
      ("data-dir", "", "a directory"),
      ("accept-data-loss", "maybe", "true or false"),
      ("loops", "0", "a number from 1 to 256"),
      ("loops", "257", "a number from 1 to 256"),
      ("loops", "two", "a number from 1 to 256"),
      ("window-memory", "1048575", "at least 1MiB, such as 512MiB or 1GiB"),
      ("window-memory", "lots", "at least 1MiB, such as 512MiB or 1GiB"),
      ("window-memory", "99999999TiB", "at least 1MiB, such as 512MiB or 1GiB"),
      ("rate-limit", "0", "`off` or requests per second, 1 to 1000000"),
      ("rate-limit", "1000001", "`off` or requests per second, 1 to 1000000"),
      ("rate-limit", "OFF", "`off` or requests per second, 1 to 1000000"),
      ("rate-limit", "-5", "`off` or requests per second, 1 to 1000000"),
      ("snapshot-interval", "0s", "at least 1s, such as 30s, 5m or 1h"),
      ("snapshot-interval", "300", "at least 1s, such as 30s, 5m or 1h"),
    ])
  func bad(key: String, value: String, rule: String) {
    let expected = ConfigurationProblem(key: key, value: value, rule: "must be \(rule)")
    #expect(problems(sound.merging([key: value]) { $1 }) == [expected])
  }

  @Test("everything that is wrong is reported at once, in the order of the settings")
  func allAtOnce() {
    let settings = [
      "host": "", "port": "x", "data-dir": "", "dev": "true", "durability": "none",
      "accept-data-loss": "x", "loops": "x", "window-memory": "x", "rate-limit": "x",
      "snapshot-interval": "x", "retention": "x", "retention-interval": "x",
    ]
    let expected = ServerConfiguration.keys.filter { $0 != "dev" && $0 != "durability" }
    #expect(problems(settings).map(\.key) == expected)
  }

  @Test("a problem is one sentence with the flag, what it was, and what would be right")
  func sentences() {
    let problems = ConfigurationProblems([
      ConfigurationProblem(key: "port", value: "x", rule: "must be a port from 0 to 65535"),
      ConfigurationProblem(key: "loops", value: "0", rule: "must be a number from 1 to 256"),
    ])
    #expect(
      problems.description == """
        hub: --port x: must be a port from 0 to 65535
        hub: --loops 0: must be a number from 1 to 256
        """)
  }
}

@Suite("cli, hub serve: what refuses to start")
struct RefusalToStartTests {
  @Test(
    "--dev listens on loopback only",
    arguments: [
      "0.0.0.0", "::", "192.168.1.2", "example.com", "localhost.evil.com", "127.0.0.1.evil.com",
    ])
  func development(host: String) {
    let found = problems(sound.merging(["host": host]) { $1 })
    #expect(found.map(\.key) == ["host"])
    #expect(found.map(\.value) == [host])
    #expect(found.first?.rule.contains("loopback") == true)
  }

  @Test("without --dev there is no way to verify tokens yet", arguments: [nil, "false"])
  func noTokens(dev: String?) {
    var settings = ["durability": "none"]
    settings["dev"] = dev
    let found = problems(settings)
    #expect(found.map(\.key) == ["dev"])
    #expect(found.first?.rule.contains("verify tokens") == true)
  }

  @Test("without --dev any host may be listened on")
  func anyHost() {
    let found = problems(["durability": "none", "host": "0.0.0.0"])
    #expect(found.map(\.key) == ["dev"])
  }

  @Test("a durability that does not exist is named")
  func unknownDurability() {
    let found = problems(["dev": "true", "durability": "fsync"])
    let rule = "must be one of commit, interval, none"
    #expect(found.first == ConfigurationProblem(key: "durability", value: "fsync", rule: rule))
  }

  @Test("bare `hub serve` says both things that are missing")
  func nothingSet() {
    #expect(problems([:]).map(\.key) == ["dev"])
  }

  @Test(
    "an address that cannot be had exits 69, what is stored and unusable, 78",
    arguments: [
      (StartError.cannotListen(host: "::1", port: 80, reason: "in use"), Int32(69)),
      (.dataDirectory(.locked(path: "/data")), 78),
      (.dataDirectory(.unusable(path: "/data", reason: "it is a file")), 78),
      (.recovery(.snapshots(.otherFormat("7"))), 78),
      (.recovery(.snapshots(.noneReadable(["a bad sum"]))), 78),
    ])
  func exitCodes(error: StartError, code: Int32) {
    #expect(error.exitCode == code)
  }

  @Test("and says so in a sentence")
  func startSentences() {
    let taken = StartError.cannotListen(host: "127.0.0.1", port: 80, reason: "in use")
    #expect("\(taken)" == "cannot listen on 127.0.0.1:80: in use")
    let locked = StartError.dataDirectory(.locked(path: "/data"))
    #expect("\(locked)" == "another hub is running on the data directory /data")
  }
}
