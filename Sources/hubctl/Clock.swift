internal import Foundation

/// Moments in the time zone of whoever reads.
enum Clock {
  /// `12:03:04`; now, of nil.
  static func timeOfDay(_ milliseconds: Int?) -> String {
    let parts = parts(milliseconds)
    return String(format: "%02d:%02d:%02d", parts.tm_hour, parts.tm_min, parts.tm_sec)
  }

  /// `2026-11-21 12:03:04`; now, of nil.
  static func dateAndTime(_ milliseconds: Int?) -> String {
    let parts = parts(milliseconds)
    let date = String(
      format: "%04d-%02d-%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday)
    return "\(date) \(timeOfDay(milliseconds))"
  }

  private static func parts(_ milliseconds: Int?) -> tm {
    var seconds = milliseconds.map { time_t($0 / 1000) } ?? time(nil)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return parts
  }
}
