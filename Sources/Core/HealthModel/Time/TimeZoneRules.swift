#if canImport(Darwin)
  import Foundation
#endif

/// The UTC offsets of one zone, and from them when its days begin (R4).
enum TimeZoneRules: Sendable {
  /// Rules of the system's database.
  case file(ZoneFile)
  #if canImport(Darwin)
    /// Rules that Foundation finds.
    case foundation(TimeZone)
  #endif

  /// Seconds east of UTC that hold at a moment.
  func offset(at seconds: Int) -> Int {
    switch self {
    case .file(let file): return file.offset(at: seconds)
    #if canImport(Darwin)
      case .foundation(let zone):
        return zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
    #endif
    }
  }

  /// The moment with the offset that holds there.
  func localMoment(at seconds: Int) -> ReportingDay.LocalMoment {
    .init(timestamp: Timestamp(secondsSince1970: seconds), offsetSeconds: offset(at: seconds))
  }

  /// The first moment at which the zone's clocks show the midnight that begins a day, or later.
  ///
  /// It is the first occurrence of a midnight that comes twice, and the end of the gap for one
  /// that never comes. `day` counts from 1970-01-01.
  func start(ofDay day: Int) -> Int {
    let midnight = day * 86_400
    // No zone ever was further than this from UTC, so the moment lies between these two.
    var low = midnight - Self.widestOffset
    let last = midnight + Self.widestOffset
    while low < last {
      let high = min(low + Self.step, last)
      if let moment = first(showing: midnight, from: low, to: high) { return moment }
      low = high
    }
    return last
  }

  /// The first moment of `low...high` that shows at least `local`, if there is one.
  private func first(showing local: Int, from low: Int, to high: Int) -> Int? {
    let offset = self.offset(at: low)
    if low + offset >= local { return low }
    if self.offset(at: high) == offset {
      return high + offset >= local ? local - offset : nil
    }
    let change = firstChange(after: low, upTo: high, from: offset)
    if change - 1 + offset >= local { return local - offset }
    if change + self.offset(at: change) >= local { return change }
    return change < high ? first(showing: local, from: change, to: high) : nil
  }

  /// The moment in `low+1...high` at which the offset stops being `offset`.
  private func firstChange(after low: Int, upTo high: Int, from offset: Int) -> Int {
    var (low, high) = (low, high)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if self.offset(at: middle) == offset { low = middle } else { high = middle }
    }
    return high
  }

  /// Seconds; the widest local mean times are just under 16 hours from UTC.
  private static let widestOffset = 57_600

  /// Seconds; shorter than any two changes that cancel each other ever were apart.
  private static let step = 21_600
}
