/// The store is what recovery and the sequencer know as history.
extension HistoryStore: RecoveredHistory, History {
  package var applied: LSN { figures.applied }
}
