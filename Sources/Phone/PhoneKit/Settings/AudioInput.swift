/// A microphone that can be chosen in Settings > Audio Input.
public struct AudioInput: Codable, Hashable, Sendable, Identifiable {
  /// Where it is.
  public enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
    /// iPhone Microphone.
    case builtIn = "built_in"
    /// AirPods, headsets, cars.
    case bluetooth
    /// Headphones with a cable.
    case wired
  }

  /// The port's own id, which stays the same when it comes back.
  public let id: String
  /// Its name, for people.
  public let name: String
  /// Where it is.
  public let kind: Kind

  /// A microphone.
  public init(id: String, name: String, kind: Kind) {
    (self.id, self.name, self.kind) = (id, name, kind)
  }

  /// The microphone that is used: the chosen one while it is there, else the phone's own.
  ///
  /// - Parameters:
  ///   - available: those that are connected.
  ///   - chosen: the id of the person's choice; nil for the phone's own.
  /// - Returns: nil if the device has no microphone.
  public static func used(of available: [AudioInput], chosen: String?) -> AudioInput? {
    available.first { $0.id == chosen } ?? available.first { $0.kind == .builtIn }
      ?? available.first
  }
}
