internal import ArgumentParser

/// The command line to a running hub.
@main
struct Hubctl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hubctl",
    abstract: "Talks to a hub: sends, follows, lists, notifies.",
    discussion: """
      EXAMPLES:
        hubctl channels --scope all
        hubctl send room:swift "hello" --join
        hubctl tail room:swift --last 20
        hubctl tail room:swift --json | jq .text
        hubctl history room:swift --before 1000 --limit 20
        hubctl members room:swift --present
        hubctl search "green tea" --channel room:swift
        hubctl inbox --type mention
        hubctl inbox --follow
        hubctl notify ann --text "Dinner is ready" --token dev-bot:kitchen
        hubctl backup /var/backups/hub-1 --token dev-admin:me

      ENVIRONMENT:
        HUBCTL_URL     the hub, when --url is not given
        HUBCTL_TOKEN   the token, when --token is not given

      EXIT CODES:
        0    done
        1    the hub refused, or ended what was asked for
        64   the command line is wrong
        69   no hub answers at the URL
        77   the hub does not accept the token
      """,
    subcommands: [
      Send.self, Tail.self, Channels.self, Members.self, History.self, Inbox.self, Notify.self,
      Snapshot.self, Journal.self, Backup.self, Search.self, Bench.self,
    ])
}
