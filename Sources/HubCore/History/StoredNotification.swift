package import HubProtocol

/// What a notification says, as history keeps it: the same for all inboxes that hold it.
package struct StoredNotification: Equatable, Sendable {
  /// Its number among all of the hub, given when it was made; entries of inboxes refer to it.
  package let number: Int
  package let ts: Timestamp
  package let notification: Notification

  package init(number: Int, ts: Timestamp, notification: Notification) {
    self.number = number
    self.ts = ts
    self.notification = notification
  }
}
