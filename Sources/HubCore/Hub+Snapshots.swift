package import HubProtocol

/// Snapshots as the hub sees them: a copy of the registry, and operators who ask for one.
extension Hub {
  /// The registry as it is now, to be written elsewhere while this one goes on.
  package var image: RegistryImage { RegistryImage(registry) }

  mutating func takeSnapshot(_ origin: Origin, for user: UserRef) throws(Refusal) {
    guard registry.users[user.index].privilege == .admin else {
      throw Refusal(.forbidden, "only admins take snapshots")
    }
    effects.append(.takeSnapshot(PendingOperation(origin: origin)))
  }

  mutating func backUp(
    to directory: String, _ origin: Origin, for user: UserRef
  ) throws(Refusal) {
    guard registry.users[user.index].privilege == .admin else {
      throw Refusal(.forbidden, "only admins take backups")
    }
    effects.append(.backUp(directory: directory, PendingOperation(origin: origin)))
  }

  /// Answers an operator whose snapshot or backup was taken, or was not.
  package mutating func finish(
    _ pending: PendingOperation, with result: Result<Reply, Refusal>
  ) {
    switch result {
    case .success(let reply): answer(pending.origin, reply)
    case .failure(let refusal): refuse(pending.origin, refusal)
    }
  }
}
