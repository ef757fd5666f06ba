/// A stream of raw data, by its name on the wire (R43, R55).
public enum StreamName: String, CaseIterable, Hashable, Sendable {
  /// Where the person was, a point every few seconds.
  case location = "apple_ios_core_location"
  /// What the microphone heard, in chunks that overlap.
  case audio = "apple_ios_mic_audio"
  /// Samples of HealthKit's types.
  case healthKit = "apple_ios_healthkit"
  /// Whole payloads of the app Health Auto Export.
  case healthAutoExport = "health_auto_export"
  /// What apps sent beside points and payloads: messages of other kinds, and points that were
  /// refused.
  case appMessages = "app_messages"

  /// The three that collectors queue, and that a request of R46 carries. A server writes the others.
  public static let collected: [StreamName] = [.location, .audio, .healthKit]

  /// Those that an outbox may hold: what collectors queue, and whole payloads.
  package static let queued = collected + [.healthAutoExport]

  /// The short name that counts and messages use, such as `location`.
  public var shortName: String {
    switch self {
    case .location: "location"
    case .audio: "audio"
    case .healthKit: "healthkit"
    case .healthAutoExport: "payloads"
    case .appMessages: "messages"
    }
  }

  /// The stream of this name, long or short; nil if there is none.
  public init?(named name: String) {
    guard let stream = Self.allCases.first(where: { $0.rawValue == name || $0.shortName == name })
    else { return nil }
    self = stream
  }
}
