internal import ArgumentParser
internal import Foundation
internal import HubClient

/// A copy of a running hub.
struct Backup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Has the hub copy everything as of one moment into a directory on its machine.",
    discussion: """
      Needs an admin's token, on the hub's machine. The directory is made, or must be empty. \
      Another hub starts from it: hub serve --data-dir DIR.
      """)

  @Argument(help: "Where to; seen from here when it does not begin with a slash.")
  var directory: String

  @OptionGroup var options: HubOptions

  func run() async throws {
    let path = URL(fileURLWithPath: directory).standardizedFileURL.path
    guard let arguments = HubJSON(#"{"dir":"# + HubJSON(string: path).text + "}") else {
      throw ValidationError("The directory's name cannot be sent.")
    }
    try await options.run(about: Explanation.Subject()) { connection, output in
      let reply = try await connection.request("admin.backup", arguments: arguments)
      try await output.line(reply)
    }
  }
}
