/// Whether a person lets an app read their health data.
public enum HealthAuthorizationStatus: String, CaseIterable, Codable, Hashable, Sendable {
  /// The person was not asked yet.
  case notDetermined
  /// The app may read.
  case authorized
  /// The person refused, or has taken the permission back.
  case denied
  /// There is no health data on this device.
  case unavailable
}

/// Who is asked for the permission: HealthKit on a phone.
public protocol HealthAuthorization: Sendable {
  /// The status at the moment. It may change while the app is not running, and while it is.
  var status: HealthAuthorizationStatus { get }

  /// Asks the person, if they were not asked yet.
  ///
  /// - Returns: the status after their answer.
  func request() async throws -> HealthAuthorizationStatus
}
