import HealthModel

/// Finds the gaps of one device's stream that samples steadily. Pure.
struct RhythmCheck {
  /// The longest pause, in seconds, that is not a gap; nil for a stream without a rhythm.
  ///
  /// A point every 10 s and a chunk every 28 s; a lost connection or a restart takes a moment.
  static func allowedPause(_ stream: StreamName) -> Int? {
    switch stream {
    case .location: 300
    case .audio: 60
    case .healthKit, .healthAutoExport, .appMessages: nil
    }
  }

  private let pause: Int
  /// Until when there is data.
  private var end: Timestamp?

  /// Nil for a stream without a rhythm.
  init?(_ stream: StreamName) {
    guard let pause = Self.allowedPause(stream) else { return nil }
    self.pause = pause
  }

  /// The gaps before and between entries, which are in order of time and after all earlier ones.
  mutating func gaps(in entries: [StreamEntry]) -> [ClosedRange<Timestamp>] {
    var gaps: [ClosedRange<Timestamp>] = []
    for entry in entries {
      if let end, entry.start.secondsSince1970 - end.secondsSince1970 > pause {
        gaps.append(end...entry.start)
      }
      end = max(end ?? entry.end, entry.end)
    }
    return gaps
  }
}
