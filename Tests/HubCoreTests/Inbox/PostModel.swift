/// What was written in the room, and who follows whom.
struct PostModel {
  /// A message as far as inboxes need to know it.
  struct Post {
    let author: String
    var text: String
    let replyTo: Int?
    var mentions: [String]
    var isForAll: Bool
    var isDeleted = false
    /// By who made them.
    var reactions: [String: Set<String>] = [:]
  }

  /// The message of seq 1 first.
  var posts: [Post] = []
  /// Followers by the feed's owner.
  var feeds: [String: Set<String>] = [:]
  /// How often each feed was begun anew.
  var ages: [String: Int] = [:]
}
