// swift-tools-version: 6.2
import PackageDescription

// Set by `scripts/check` alone: a stranger's newer compiler must not break the build.
let warningsAreErrors = Context.environment["HUB_WARNINGS_AS_ERRORS"] != nil

let nio = "swift-nio"
let package = Package(
  name: "hub",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "hub", targets: ["hub"]),
    .executable(name: "hubctl", targets: ["hubctl"]),
    .library(name: "HubClient", targets: ["HubClient"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(
      url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: ["YAML"]),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(
      url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .target(name: "HubProtocol"),
    .target(
      name: "HubWebSocket",
      dependencies: [
        .product(name: "NIOCore", package: nio),
        .product(name: "NIOHTTP1", package: nio),
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    .target(
      name: "HubCore",
      dependencies: [
        "HubProtocol",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
      ]),
    .target(
      name: "HubStorage",
      dependencies: [
        "HubCore", "HubProtocol",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    .target(
      name: "HubServer",
      dependencies: [
        "HubCore", "HubProtocol", "HubStorage", "HubWebSocket",
        .product(name: "NIOCore", package: nio),
        .product(name: "NIOPosix", package: nio),
        .product(name: "NIOHTTP1", package: nio),
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ]),
    .target(
      name: "HubClient",
      dependencies: [
        "HubProtocol", "HubWebSocket",
        .product(name: "NIOCore", package: nio),
        .product(name: "NIOPosix", package: nio),
        .product(name: "NIOHTTP1", package: nio),
      ]),
    .target(
      name: "HubLoad",
      dependencies: [
        "HubClient", "HubProtocol", "HubWebSocket",
        .product(name: "NIOCore", package: nio),
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ]),
    .executableTarget(
      name: "hub",
      dependencies: [
        "HubServer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .executableTarget(
      name: "hubctl",
      dependencies: [
        "HubClient", "HubCore", "HubLoad", "HubProtocol", "HubStorage",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "example-bot",
      dependencies: [
        "HubClient",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "scripts/examples/swift-bot"),
    .executableTarget(
      name: "websocket-echo",
      dependencies: [
        "HubWebSocket",
        .product(name: "NIOCore", package: nio),
        .product(name: "NIOPosix", package: nio),
        .product(name: "NIOHTTP1", package: nio),
      ],
      path: "Tests/websocket-echo"),
    .testTarget(
      name: "HubCoreTests", dependencies: ["HubCore", "HubProtocol", "HubStage", "SeededRandom"]),
    .testTarget(
      name: "HubLoadTests", dependencies: ["HubLoad", "HubProtocol", "SeededRandom"]),
    .testTarget(
      name: "HubStorageTests",
      dependencies: [
        "HubCore", "HubProtocol", "HubStage", "HubStorage", "SeededRandom", "SimulatedDisk",
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    .testTarget(
      name: "HubServerTests",
      dependencies: [
        "HubCore", "HubProtocol", "HubServer", "HubStorage", "HubWebSocket", "SeededRandom",
        .product(name: "NIOCore", package: nio),
        .product(name: "NIOEmbedded", package: nio),
        .product(name: "NIOHTTP1", package: nio),
      ]),
    .target(name: "SeededRandom", path: "Tests/SeededRandom"),
    .target(
      name: "SimulatedDisk", dependencies: ["HubStorage", "SeededRandom"],
      path: "Tests/SimulatedDisk"),
    .target(
      name: "HubStage",
      dependencies: [
        "HubCore", "HubProtocol", "SeededRandom",
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      path: "Tests/HubStage"),
    .executableTarget(
      name: "hub-fuzz",
      dependencies: [
        "HubCore", "HubProtocol", "HubStage", "HubStorage", "HubWebSocket", "SeededRandom",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOCore", package: nio),
      ],
      path: "Tests/hub-fuzz"),
    .executableTarget(
      name: "message-cost",
      dependencies: ["HubCore", "HubProtocol", "HubServer", "HubStage", "HubStorage"],
      path: "Tests/message-cost"),
    .executableTarget(
      name: "storage-cost",
      dependencies: ["HubCore", "HubProtocol", "HubStage", "HubStorage", "SeededRandom"],
      path: "Tests/storage-cost"),
    .testTarget(
      name: "HubClientTests",
      dependencies: [
        "HubClient", "hubctl", "HubProtocol", "HubWebSocket", "SeededRandom",
        .product(name: "NIOCore", package: nio),
        .product(name: "NIOPosix", package: nio),
        .product(name: "NIOHTTP1", package: nio),
      ]),
    .testTarget(name: "HubProtocolTests", dependencies: ["HubProtocol", "SeededRandom"]),
    .testTarget(
      name: "HubWebSocketTests",
      dependencies: [
        "HubWebSocket", "SeededRandom",
        .product(name: "NIOCore", package: nio),
        .product(name: "NIOEmbedded", package: nio),
        .product(name: "NIOHTTP1", package: nio),
      ]),
  ]
)

let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])

for target in package.targets {
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}
