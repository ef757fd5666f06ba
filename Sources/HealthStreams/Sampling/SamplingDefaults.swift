/// How a phone samples its location (ST-2, ST-3).
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

/// How a phone records what its microphone hears (ST-4, ST-5).
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
