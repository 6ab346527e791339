import HubStorage

/// What is told of storage: what recovery did, and how journal and history are.
struct StorageMetrics: Sendable {
  let steps: [RecoveryStep]
  let journal: JournalLog?
  let history: HistoryStore
  let health: StorageHealth

  /// All figures, as they are now.
  var text: String {
    var metrics = MetricsText()
    metrics.add(
      "hub_storage_ready", .gauge, health.trouble == nil ? 1 : 0,
      "Whether durable requests are taken.")
    addRecovery(to: &metrics)
    if let journal { add(journal.figures, to: &metrics) }
    add(history.figures, to: &metrics)
    return metrics.text
  }

  private func addRecovery(to metrics: inout MetricsText) {
    var counts = Dictionary(uniqueKeysWithValues: RecoveryStep.names.map { ($0, 0) })
    var (records, cut) = (0, 0)
    for step in steps {
      counts[step.name, default: 0] += 1
      if case .replayed(let count, _, _) = step { records += count }
      if case .journalCut(_, _, let bytes) = step { cut += bytes }
    }
    metrics.add(
      "hub_recovery_steps_total", .counter, by: "step", counts,
      "What recovery did or found when this hub started.")
    metrics.add(
      "hub_recovery_replayed_records_total", .counter, records,
      "Records of the journal applied again at the start.")
    metrics.add(
      "hub_recovery_cut_bytes_total", .counter, cut,
      "Bytes of an interrupted write that were cut off at the start.")
  }

  private func add(_ figures: JournalFigures, to metrics: inout MetricsText) {
    metrics.add("hub_journal_last_lsn", .gauge, figures.last.number, "Newest record written.")
    metrics.add("hub_journal_synced_lsn", .gauge, figures.synced.number, "Newest record synced.")
    metrics.add("hub_journal_segments", .gauge, figures.segments, "Segments on the disk.")
    metrics.add("hub_journal_bytes", .gauge, figures.bytes, "Bytes of segments on the disk.")
    metrics.add(
      "hub_journal_written_bytes_total", .counter, figures.written, "Bytes of records written.")
    metrics.add("hub_journal_syncs_total", .counter, figures.syncs, "Syncs of records.")
    let took = figures.syncDuration.components
    metrics.add(
      "hub_journal_sync_seconds_total", .counter,
      seconds: Int(took.seconds) * 1_000_000_000 + Int(took.attoseconds / 1_000_000_000),
      "Time spent in syncs of records.")
  }

  private func add(_ figures: HistoryFigures, to metrics: inout MetricsText) {
    metrics.add(
      "hub_history_applied_lsn", .gauge, figures.applied.number, "Newest record in history.")
    metrics.add(
      "hub_history_durable_lsn", .gauge, figures.durable.number,
      "Newest record in history that survives a loss of power.")
    metrics.add(
      "hub_history_pending_changes", .gauge, figures.pendingChanges,
      "Changes that wait to be written.")
    metrics.add(
      "hub_history_pending_bytes", .gauge, figures.pendingBytes, "What they take at most.")
    metrics.add("hub_history_bytes", .gauge, figures.fileBytes, "Bytes of the file and its log.")
    metrics.add(
      "hub_history_unindexed_messages", .gauge, figures.unindexed,
      "Messages that search does not know yet.")
    metrics.add("hub_history_commits_total", .counter, figures.commits, "Batches written.")
    metrics.add(
      "hub_history_commit_seconds_total", .counter, seconds: figures.commitNanoseconds,
      "Time spent writing batches.")
    metrics.add(
      "hub_history_checkpoints_total", .counter, figures.checkpoints, "Checkpoints.")
    metrics.add(
      "hub_history_checkpoint_seconds_total", .counter, seconds: figures.checkpointNanoseconds,
      "Time spent in checkpoints.")
  }
}
