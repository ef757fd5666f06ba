public import HealthLedger
public import HealthModel

/// The time and the place of a live view. Tests give their own.
public struct LiveClock: Sendable {
  /// The moment, by the clock on the wall.
  public var now: @Sendable () -> Timestamp
  /// The reporting zone at the moment, an IANA name. It may change while a view is shown.
  public var timeZoneName: @Sendable () -> String
  /// Waits for some seconds until a source is asked again; throws where the task was cancelled meanwhile.
  public var rest: @Sendable (_ seconds: Int) async throws -> Void

  /// A clock and a place.
  ///
  /// - Parameters:
  ///   - now: the moment. Default: the system's clock.
  ///   - timeZoneName: the reporting zone at the moment.
  ///   - rest: the pause between two questions to a source. Default: as long as it is to be.
  public init(
    now: @escaping @Sendable () -> Timestamp = { .now },
    timeZoneName: @escaping @Sendable () -> String,
    rest: @escaping @Sendable (_ seconds: Int) async throws -> Void = {
      try await Task.sleep(for: .seconds($0))
    }
  ) {
    (self.now, self.timeZoneName, self.rest) = (now, timeZoneName, rest)
  }
}
