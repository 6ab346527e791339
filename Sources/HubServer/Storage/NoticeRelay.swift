import Synchronization

/// Hands notices from any thread to one receiver, and keeps those that come before it is known.
final class NoticeRelay<Notice: Sendable>: Sendable {
  private enum State: Sendable {
    /// Nobody listens yet.
    case keeping([Notice])
    case handing(@Sendable (Notice) -> Void)
  }

  private let state = Mutex(State.keeping([]))

  func tell(_ notice: Notice) {
    let receive = state.withLock { state -> (@Sendable (Notice) -> Void)? in
      switch state {
      case .keeping(let kept):
        state = .keeping(kept + [notice])
        return nil
      case .handing(let receive):
        return receive
      }
    }
    receive?(notice)
  }

  /// Says who is to have them, those that were kept first.
  func listen(_ receive: @escaping @Sendable (Notice) -> Void) {
    let kept = state.withLock { state -> [Notice] in
      defer { state = .handing(receive) }
      guard case .keeping(let kept) = state else { return [] }
      return kept
    }
    for notice in kept { receive(notice) }
  }
}
