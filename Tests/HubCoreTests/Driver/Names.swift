import HubProtocol

/// A channel's name, well formed.
func channel(_ text: String) -> ChannelName {
  guard let name = ChannelName(text) else { preconditionFailure("`\(text)` names no channel") }
  return name
}

/// A user's id, well formed.
func user(_ text: String) -> UserID {
  guard let id = UserID(text) else { preconditionFailure("`\(text)` is no user id") }
  return id
}

/// A JSON value, well formed.
func json(_ text: String) -> RawJSON { RawJSON(checked: Array(text.utf8)) }
