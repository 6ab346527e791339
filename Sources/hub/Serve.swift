import ArgumentParser
import Configuration
import Foundation
import HubServer
import SystemPackage

/// `hub serve`: flags, environment and file → configuration → run.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run a hub until SIGTERM or SIGINT.",
    discussion: """
      Every setting is also read from the environment (HUB_PORT for --port) and from the file of \
      --config (port: 8080). Flags win over the environment, the environment over the file.
      """)

  @Option(help: "A YAML file with settings.") var config: String?
  @Option(help: "Address to listen on. (default: 127.0.0.1)") var host: String?
  @Option(help: "Port to listen on; 0 takes a free one. (default: 8080)") var port: String?
  @Option(help: "Where everything durable is kept. (default: ./hub-data)") var dataDir: String?
  @Flag(help: "Take development tokens: dev:<user>, dev-bot:<id>, dev-admin:<id>.") var dev = false
  @Option(help: "commit, interval or none. (default: commit)") var durability: String?
  @Flag(help: "Start although stored data is damaged.") var acceptDataLoss = false
  @Option(help: "Event loops. (default: number of cores)") var loops: String?
  @Option(help: "Memory of all message windows. (default: 1GiB)") var windowMemory: String?
  @Option(help: "off, or requests per second and connection. (default: 100)")
  var rateLimit: String?
  @Option(help: "Time between snapshots. (default: 5m)") var snapshotInterval: String?
  @Option(help: "off, or what is kept: 365d,public=30d,public=5000. (default: off)")
  var retention: String?
  @Option(help: "Time between looks for what is no longer kept. (default: 1m)")
  var retentionInterval: String?

  func run() async throws {
    let reader = ConfigReader(providers: try await providers())
    let cores = ProcessInfo.processInfo.activeProcessorCount
    do {
      let configuration = try ServerConfiguration(cores: cores) {
        reader.string(forKey: ConfigKey([$0]))
      }
      try await Lifecycle.run(configuration)
    } catch let error as ConfigurationProblems {
      try Self.end(78, error)
    } catch let error as StartError {
      try Self.end(error.exitCode, "hub: \(error)")
    } catch let error as StopError {
      try Self.end(74, "hub: \(error)")
    }
  }

  private func providers() async throws -> [any ConfigProvider] {
    let flags = [
      "host": host, "port": port, "data-dir": dataDir, "dev": dev ? "true" : nil,
      "durability": durability, "accept-data-loss": acceptDataLoss ? "true" : nil,
      "loops": loops, "window-memory": windowMemory, "rate-limit": rateLimit,
      "snapshot-interval": snapshotInterval, "retention": retention,
      "retention-interval": retentionInterval,
    ]
    var values: [AbsoluteConfigKey: ConfigValue] = [:]
    for case (let key, let value?) in flags {
      values[AbsoluteConfigKey([key])] = ConfigValue(.string(value), isSecret: false)
    }
    var providers: [any ConfigProvider] = [
      InMemoryProvider(values: values),
      EnvironmentVariablesProvider().prefixKeys(with: "hub"),
    ]
    if let config {
      do {
        providers.append(try await FileProvider<YAMLSnapshot>(filePath: FilePath(config)))
      } catch {
        try Self.end(78, "hub: --config \(config): cannot be read: \(error)")
      }
    }
    return providers
  }

  private static func end(_ code: Int32, _ sentence: some CustomStringConvertible) throws {
    try FileHandle.standardError.write(contentsOf: Data("\(sentence)\n".utf8))
    throw ExitCode(code)
  }
}
