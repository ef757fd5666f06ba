import HealthModel
import HealthStreams

/// A moment of a simulated day. All of it follows from its number.
struct Day: Sendable {
  /// Ten seconds each.
  var tick: Int
  /// When the day began, in seconds since 1970.
  let start: Int

  /// When it is, by a clock that is right.
  private var moment: Timestamp { Timestamp(secondsSince1970: start + tick * 10) }

  /// What the phone's clock shows: for a time it is an hour behind, or a day ahead.
  var clock: Timestamp {
    switch tick % 400 {
    case 150..<200: moment.adding(seconds: -3600)
    case 300..<330: moment.adding(seconds: 86_400)
    default: moment
    }
  }

  /// Airplane mode, for 10 of every 40 minutes.
  var isOffline: Bool { (60..<120).contains(tick % 240) }
  /// Fewer than 50 MB are free.
  var isFull: Bool { (200..<260).contains(tick % 500) }
  /// Health may not be read.
  var isRevoked: Bool { (100..<140).contains(tick % 300) }

  /// Steps that HealthKit gets; nil for none.
  var steps: Int? { tick > 0 && tick.isMultiple(of: 2) ? tick % 40 + 1 : nil }
  /// When they were taken: some come a quarter of an hour late, from the watch.
  var measured: Timestamp { moment.adding(seconds: tick.isMultiple(of: 14) ? -900 : -10) }

  /// What the sensors give: a point, and every 28 s or so a piece of sound.
  func sensed() throws -> [StreamEntry] {
    var entries = [
      try LocationPoint(
        timestamp: "\(moment)", latitude: 48.5, longitude: 16.25, altitude: Double(tick), speed: 1,
        horizontalAccuracy: 5, verticalAccuracy: 3
      ).entry()
    ]
    if tick.isMultiple(of: 3) {
      entries.append(
        try AudioRecord(
          id: "piece-\(tick)", timestampStart: "\(moment)",
          timestampEnd: "\(moment.adding(seconds: 30))", duration: 30, audioData: "AAAA",
          overlapDuration: 2
        ).entry())
    }
    return entries
  }
}
