/// What operators' tools ask the hub by plain HTTP.
package struct HubStatus: Sendable {
  /// Why the hub should not be sent requests; nil when it may.
  package let trouble: @Sendable () -> String?
  /// Figures for Prometheus.
  package let metrics: @Sendable () -> String

  package init(
    trouble: @escaping @Sendable () -> String? = { nil },
    metrics: @escaping @Sendable () -> String = { "" }
  ) {
    self.trouble = trouble
    self.metrics = metrics
  }
}
