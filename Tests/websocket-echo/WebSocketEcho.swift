import Dispatch
import HubWebSocket
import NIOCore
import NIOPosix

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `websocket-echo --port N`: a server for conformance suites. It upgrades on any path and echoes
/// messages up to 16 MiB. Port 0 takes a free one; the port is printed. SIGTERM ends it.
@main
struct WebSocketEcho {
  static func main() async throws {
    guard let port = Self.port(from: CommandLine.arguments) else {
      Self.complain("usage: websocket-echo --port N")
      exit(64)
    }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
    let server = try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try ServerUpgradeHandler.install(on: channel, Self.configuration)
        }
      }
      .bind(host: "127.0.0.1", port: port)
      .get()
    Self.announce("listening on ws://127.0.0.1:\(server.localAddress?.port ?? port)")
    await Self.terminated()
    try await server.close()
    try await group.shutdownGracefully()
  }

  private static var configuration: ServerUpgradeConfiguration {
    var configuration = ServerUpgradeConfiguration(
      admit: { _ in .upgrade },
      plain: { _ in UpgradeRefusal.upgrade.answer },
      configure: { channel, _, _ in
        try channel.pipeline.syncOperations.addHandler(EchoHandler())
      })
    configuration.webSocket.maxMessageBytes = 16 * 1024 * 1024
    return configuration
  }

  private static func port(from arguments: [String]) -> Int? {
    guard arguments.count == 3, arguments[1] == "--port", let port = Int(arguments[2]),
      0...65535 ~= port
    else { return nil }
    return port
  }

  /// Returns when SIGTERM or SIGINT arrives.
  private static func terminated() async {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield() }
      source.activate()
      return source
    }
    for await _ in signals { break }
    for source in sources {
      source.cancel()
    }
  }

  /// Writes a line to standard output at once, also when that is a pipe.
  private static func announce(_ line: String) {
    Self.write(line, to: STDOUT_FILENO)
  }

  private static func complain(_ line: String) {
    Self.write(line, to: STDERR_FILENO)
  }

  private static func write(_ line: String, to descriptor: Int32) {
    let bytes = Array((line + "\n").utf8)
    var start = 0
    while start < bytes.count {
      // SAFETY: the pointer is only read, during the call, within the array's bounds.
      let written = bytes[start...].withUnsafeBytes { bytes in
        #if canImport(Glibc)
          Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
          Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
          Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
      }
      guard written > 0 else { return }
      start += written
    }
  }
}
