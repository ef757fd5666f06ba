/// A stream of raw data, by its name on the wire (R43).
public enum StreamName: String, CaseIterable, Hashable, Sendable {
  /// Where the person was, a point every few seconds.
  case location = "apple_ios_core_location"
  /// What the microphone heard, in chunks that overlap.
  case audio = "apple_ios_mic_audio"
  /// Samples of HealthKit's types.
  case healthKit = "apple_ios_healthkit"

  /// The short name that counts and messages use: `location`, `audio` or `healthkit`.
  public var shortName: String {
    switch self {
    case .location: "location"
    case .audio: "audio"
    case .healthKit: "healthkit"
    }
  }

  /// The stream of this name, long or short; nil if there is none.
  public init?(named name: String) {
    guard let stream = Self.allCases.first(where: { $0.rawValue == name || $0.shortName == name })
    else { return nil }
    self = stream
  }
}
