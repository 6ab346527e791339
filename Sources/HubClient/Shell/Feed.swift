internal import Synchronization

/// A mailbox between the connection's loop and one reader in any task.
///
/// When the reader's task is cancelled, its `next` returns nil, as it does at the end.
package final class Feed<Element: Sendable>: Sendable {
  /// What the reader gets next.
  package enum Next: Sendable {
    case element(Element)
    case missed(Int)
    /// The end; nil when nothing is wrong.
    case end(HubError?)
  }

  private struct State: ~Copyable {
    var mailbox: Mailbox<Element>
    /// Readers that found nothing, the first come first.
    var waiting: [(reader: Int, continuation: CheckedContinuation<Next, Never>)] = []
    var nextReader = 0
    /// Set at the end, and told when the mailbox is empty.
    var end: Next?
  }

  private let state: Mutex<State>

  package init(limit: Int, overflow: Mailbox<Element>.Overflow) {
    state = Mutex(State(mailbox: Mailbox(limit: limit, overflow: overflow)))
  }

  package func offer(_ element: Element) {
    let reader = state.withLock { state -> CheckedContinuation<Next, Never>? in
      guard state.end == nil else { return nil }
      if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }
      state.mailbox.offer(element)
      return nil
    }
    reader?.resume(returning: .element(element))
  }

  /// What is in the mailbox is still read; nothing comes behind it.
  package func finish(_ error: HubError?) {
    let readers = state.withLock { state in
      state.end = state.end ?? .end(error)
      defer { state.waiting.removeAll() }
      return state.waiting.map(\.continuation)
    }
    for reader in readers { reader.resume(returning: .end(error)) }
  }

  package func next() async -> Next {
    let reader = state.withLock { state in
      state.nextReader += 1
      return state.nextReader
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let next = Task.isCancelled ? .end(nil) : take(orWait: reader, continuation)
        if let next { continuation.resume(returning: next) }
      }
    } onCancel: {
      cancel(reader)
    }
  }

  private func take(
    orWait reader: Int, _ continuation: CheckedContinuation<Next, Never>
  ) -> Next? {
    state.withLock { state in
      switch state.mailbox.take() {
      case .element(let element): return .element(element)
      case .missed(let count): return .missed(count)
      case nil: break
      }
      if let end = state.end { return end }
      state.waiting.append((reader, continuation))
      return nil
    }
  }

  private func cancel(_ reader: Int) {
    let waiting = state.withLock { state -> CheckedContinuation<Next, Never>? in
      guard let index = state.waiting.firstIndex(where: { $0.reader == reader }) else {
        return nil
      }
      return state.waiting.remove(at: index).continuation
    }
    waiting?.resume(returning: .end(nil))
  }
}
