/// How a phone samples its location.
public enum LocationSampling {
  /// Seconds between two points.
  public static let interval = 10
  /// Metres: Core Location's `kCLLocationAccuracyNearestTenMeters`.
  public static let desiredAccuracy = 10.0
  /// For `allowsBackgroundLocationUpdates`.
  public static let allowsBackgroundUpdates = true
  /// For `pausesLocationUpdatesAutomatically`.
  public static let pausesAutomatically = false
}

/// How a phone records what its microphone hears (R44).
public enum AudioSampling {
  /// Samples a second.
  public static let sampleRate = 16_000
  /// Bits a second, as AAC.
  public static let bitRate = 16_000
  /// Seconds of a whole chunk.
  public static let chunkLength = 30
  /// Seconds that a chunk shares with the one before it.
  public static let chunkOverlap = 2
}

/// One chunk of a recording (R44), in milliseconds since any fixed moment.
public struct AudioChunk: Hashable, Sendable {
  /// Where it begins.
  public let start: Int
  /// Where it ends: at most 30 s later.
  public let end: Int
  /// How much of its beginning the chunk before it holds as well: 2 s, or 0 for the first chunk of a
  /// stretch.
  public let overlap: Int

  private static let length = AudioSampling.chunkLength * 1000
  private static let shared = AudioSampling.chunkOverlap * 1000

  /// The chunks of a recording: one every 28 s, each 30 s long, so that each shares 2 s with the one
  /// before it. The last of a stretch is as short as what was recorded.
  ///
  /// Every moment of the recording is in a chunk, no chunk reaches into a gap, and no chunk holds
  /// only what the one before it holds. A recording that goes on keeps all chunks but the last.
  ///
  /// - Parameter stretches: what was recorded without interruption, in any order. Stretches that
  ///   touch or overlap are one.
  public static func chunks(of stretches: [Range<Int>]) -> [AudioChunk] {
    var joined: [Range<Int>] = []
    for stretch in stretches.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, stretch.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, stretch.upperBound)
      } else {
        joined.append(stretch)
      }
    }
    return joined.flatMap(chunks)
  }

  private static func chunks(of stretch: Range<Int>) -> [AudioChunk] {
    var chunks: [AudioChunk] = []
    var start = stretch.lowerBound
    repeat {
      chunks.append(
        AudioChunk(
          start: start, end: min(start + length, stretch.upperBound),
          overlap: chunks.isEmpty ? 0 : shared))
      start += length - shared
    } while start + shared < stretch.upperBound
    return chunks
  }
}
