/// How many requests each device may still send: a bucket of tokens each (R54). Pure.
struct DeviceRates: Hashable, Sendable {
  private let perSecond: Double
  private let burst: Double
  private var buckets: [String: Bucket] = [:]

  private struct Bucket: Hashable, Sendable {
    var level: Double
    var at: Double
  }

  init(perSecond: Int, burst: Int) {
    (self.perSecond, self.burst) = (Double(perSecond), Double(max(1, burst)))
  }

  /// Takes one request of a device.
  ///
  /// - Parameter now: seconds since any fixed moment.
  /// - Returns: nil if it may be sent; else in how many seconds the next one may.
  mutating func admit(_ device: String, at now: Double) -> Int? {
    guard perSecond > 0 else { return nil }
    var bucket = buckets[device] ?? Bucket(level: burst, at: now)
    bucket.level = min(burst, bucket.level + max(0, now - bucket.at) * perSecond)
    bucket.at = now
    defer { buckets[device] = bucket }
    guard bucket.level >= 1 else {
      return max(1, Int(((1 - bucket.level) / perSecond).rounded(.up)))
    }
    bucket.level -= 1
    return nil
  }
}
