internal import HubProtocol

extension HubConnection {
  /// Users by id, in the order asked (`user.get`).
  /// - Parameter ids: 1 to 100. If one is unknown, none is answered: `not_found`.
  public func users(_ ids: [String]) async throws(HubError) -> [HubUser] {
    try await callForUsers(.userGet(try UserID.checked(ids)))
  }

  /// Users whose username, or a word of whose name, begins with `prefix`, in any case
  /// (`user.search`).
  /// - Parameters:
  ///   - prefix: 1 to 256 bytes.
  ///   - limit: 1 to 100.
  public func users(
    beginningWith prefix: String, limit: Int = 50
  ) async throws(HubError) -> [HubUser] {
    try await callForUsers(.userSearch(prefix, limit: limit))
  }

  /// Changes the user's own profile (`user.update`). Of the parameters nil keeps what is there and
  /// an empty value clears it; one at least must not be nil.
  /// - Parameters:
  ///   - username: unique; the hub writes it in lower case. `already_exists` when another has it.
  ///   - avatar: URL of a picture.
  ///   - custom: any JSON value of the app's own, at most 64 KiB.
  /// - Returns: the profile after the change.
  @discardableResult
  public func updateProfile(
    name: String? = nil, username: String? = nil, avatar: String? = nil, bio: String? = nil,
    custom: HubJSON? = nil
  ) async throws(HubError) -> HubUser {
    let update = ProfileUpdate(
      name: Update(name), username: Update(username), avatar: Update(avatar), bio: Update(bio),
      custom: Update(custom))
    let users = try await callForUsers(.userUpdate(update))
    guard let user = users.first else { throw .badReply(to: "user.update") }
    return user
  }

  private func callForUsers(_ operation: Operation) async throws(HubError) -> [HubUser] {
    try await call(operation) { json in
      json.object.map { $0.elements("users").compactMap { HubUser(json: $0) } }
    }
  }
}
