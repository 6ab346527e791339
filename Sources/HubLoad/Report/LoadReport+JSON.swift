internal import Foundation

extension LoadReport {
  /// One JSON object on one line; numbers have at most three digits behind the point.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // A report holds finite numbers and strings only: nothing that cannot be encoded.
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(scenario, forKey: .scenario)
    try container.encode(run, forKey: .run)
    try container.encode(seed, forKey: .seed)
    try container.encode(connections, forKey: .connections)
    try container.encode(channels, forKey: .channels)
    try container.encode(isJoined, forKey: .joined)
    try container.encode(bytes, forKey: .bytes)
    try container.encodeIfPresent(window, forKey: .window)
    try container.encodeIfPresent(rate, forKey: .rate)
    try container.encode(isInterrupted, forKey: .interrupted)
    try container.encode(opened, forKey: .opened)
    try container.encode(rounded(connectsPerS), forKey: .connectsPerS)
    try container.encode(rounded(seconds), forKey: .seconds)
    try container.encode(tally, forKey: .counts)
    try container.encode(tally.missing, forKey: .missing)
    try container.encode(rounded(deliveriesPerS), forKey: .deliveriesPerS)
    try container.encode(rounded(bytesPerDelivery), forKey: .bytesPerDelivery)
    try container.encode(latency, forKey: .latency)
    try container.encodeIfPresent(serverCpuUs.map(rounded), forKey: .serverCpuUsPerDelivery)
    try container.encodeIfPresent(kbPerConnection.map(rounded), forKey: .kbPerConnection)
    try container.encodeIfPresent(serverResidentKb, forKey: .serverResidentKb)
    try container.encode(stages, forKey: .stages)
    try container.encode(thresholds, forKey: .thresholds)
    try container.encode(failures, forKey: .failures)
  }

  private enum Key: String, CodingKey {
    case scenario, run, seed, connections, channels, joined, bytes, window, rate, interrupted
    case opened, connectsPerS, seconds, counts, missing, deliveriesPerS, bytesPerDelivery, latency
    case serverCpuUsPerDelivery, kbPerConnection, serverResidentKb, stages, thresholds, failures
  }

  private func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
}
