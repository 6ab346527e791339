package import HubClient

/// Members of a channel in aligned columns, a heading above.
package enum MemberTable {
  private static let heading = ["USER", "ROLE", "PRESENT", "READ", "DELIVERED", "NAME"]

  package static func lines(_ members: [HubMember]) -> [String] {
    Columns.align([heading] + members.map(cells))
  }

  private static func cells(_ member: HubMember) -> [String] {
    [
      member.user, member.role + (member.silencedUntilTs == nil ? "" : " (silenced)"),
      member.isPresent ? "yes" : "-", member.read.map { "\($0)" } ?? "-",
      member.delivered.map { "\($0)" } ?? "-", member.profile?.name ?? "",
    ]
  }
}
