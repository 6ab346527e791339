import HubCore

/// What the threads of history share.
final class HistoryCore: Sendable {
  /// Messages that may wait to be indexed while a search waits for them.
  static let searchBacklog = 50_000

  let path: String
  let store: StoreID
  let options: HistoryOptions
  let notice: @Sendable (HistoryNotice) -> Void
  let desk: Monitor<HistoryDesk>
  /// Two threads for what is quick, one for searches.
  let pages = ReadLane()
  let searches = ReadLane()

  init(
    file: HistoryFile, options: HistoryOptions,
    notice: @escaping @Sendable (HistoryNotice) -> Void
  ) {
    path = file.path
    store = file.contents.progress.state.store
    self.options = options
    self.notice = notice
    desk = Monitor(HistoryDesk(file.contents.progress))
  }

  /// What search knows is damaged: has the writer make it anew, once.
  func makeSearchAgain() {
    desk.with { desk in
      guard !desk.isSearchDamaged, !desk.isClosing else { return }
      desk.isSearchDamaged = true
      desk.works.append(.task { $0.makeSearchAgain() })
    }
    desk.wake()
  }

  /// Hands a job to its threads.
  func dispatch(_ job: ReadJob) {
    let isTaken = job.isSearch ? searches.add(job) : pages.add(job)
    if !isTaken { job.fail(.closed) }
  }

  /// Answers now, or as soon as the writer is there.
  func ask(_ job: ReadJob, after lsn: LSN) {
    let verdict = desk.with { desk -> Result<ReadJob?, HistoryFailure> in
      if case .failed(let reason) = desk.state { return .failure(.failed(reason)) }
      if desk.isClosing { return .failure(.closed) }
      guard lsn <= desk.applied else {
        if case .full(let reason) = desk.state { return .failure(.full(reason)) }
        desk.queries.append(HistoryDesk.Waiting(lsn: lsn, job: job))
        return .success(nil)
      }
      guard job.isSearch, desk.unindexed > 0 else { return .success(job) }
      guard desk.unindexed <= Self.searchBacklog else {
        return .failure(
          .failed("\(path): \(desk.unindexed) messages are still being indexed for search"))
      }
      desk.searches.append(HistoryDesk.WaitingSearch(number: desk.queuedUpTo, job: job))
      return .success(nil)
    }
    switch verdict {
    case .failure(let failure): job.fail(failure)
    case .success(let job?): dispatch(job)
    case .success(nil): desk.wake()
    }
  }
}
