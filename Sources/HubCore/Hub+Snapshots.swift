package import HubProtocol

/// Snapshots as the hub sees them: a copy of the registry, and operators who ask for one.
extension Hub {
  /// The registry as it is now, to be written elsewhere while this one goes on.
  package var image: RegistryImage { RegistryImage(registry) }

  /// Gives every channel a new epoch, because what was answered last may be lost.
  package mutating func renewEpochs() {
    registry.renewEpochs { ids.next() }
  }

  mutating func takeSnapshot(_ origin: Origin, for user: UserRef) throws(Refusal) {
    guard registry.users[user.index].privilege == .admin else {
      throw Refusal(.forbidden, "only admins take snapshots")
    }
    effects.append(.takeSnapshot(PendingSnapshot(origin: origin)))
  }

  /// Answers an operator whose snapshot was taken, or was not.
  package mutating func finish(
    _ pending: PendingSnapshot, with result: Result<SnapshotReply, Refusal>
  ) {
    switch result {
    case .success(let reply): answer(pending.origin, .snapshot(reply))
    case .failure(let refusal): refuse(pending.origin, refusal)
    }
  }
}
