import HealthModel
public import HealthStreams

/// What the app asks a person for.
public enum PhonePermission: String, CaseIterable, Codable, Hashable, Sendable {
  /// To read HealthKit.
  case health
  /// To know the place, always and not only while the app is used.
  case location
  /// To record.
  case microphone

  /// Whether the person lets the app.
  public enum State: String, CaseIterable, Codable, Hashable, Sendable {
    /// The person was not asked yet.
    case notDetermined
    /// The app may.
    case granted
    /// The place may be read only while the app is used, which is not enough.
    case whileInUse
    /// The person refused, or has taken the permission back.
    case denied
    /// The device does not have it, or a policy forbids it.
    case unavailable
  }

  /// The stream that needs it.
  public var stream: StreamName {
    switch self {
    case .health: .healthKit
    case .location: .location
    case .microphone: .audio
    }
  }

  /// What it is called on the screen.
  public var title: String {
    switch self {
    case .health: "Health"
    case .location: "Location: Always"
    case .microphone: "Microphone"
    }
  }

  /// Why the app needs it, for the person.
  public var why: String {
    switch self {
    case .health:
      "Steps, heart rate, energy, distance and sleep are read from Health, and sent only where you "
        + "say."
    case .location:
      "A point is stored every 10 seconds, also while the app is in the background. With \"While "
        + "Using\" there would be gaps."
    case .microphone:
      "Sound is recorded in pieces of 30 seconds, and pauses during calls. It is sent only where you "
        + "say."
    }
  }

  /// Why each part of it is asked for, where the system's sheet has many.
  public var reasons: [String] {
    self == .health
      ? MetricGroup.allCases.map(\.reason)
        + ["Workouts: their minutes and energy are pushed, and each is a row of the records."] : []
  }

  /// What to do about a refusal.
  public var remedy: String {
    switch self {
    case .health:
      "Open Settings > Health > Data Access & Devices, choose this app, and turn on all categories."
    case .location: "Open Settings, choose Location, and then Always."
    case .microphone: "Open Settings and turn on Microphone."
    }
  }
}

extension PermissionAsking {
  /// The states at the moment.
  func states(
    of permissions: [PhonePermission]
  ) async -> [PhonePermission: PhonePermission.State] {
    var states: [PhonePermission: PhonePermission.State] = [:]
    for permission in permissions { states[permission] = await state(of: permission) }
    return states
  }
}

/// Who asks a person: HealthKit, Core Location and the audio session on a phone.
public protocol PermissionAsking: Sendable {
  /// The state at the moment. It changes while the app does not run, and while it does.
  func state(of permission: PhonePermission) async -> PhonePermission.State

  /// Asks, if the person was not asked yet, and returns after their answer.
  func ask(_ permission: PhonePermission) async -> PhonePermission.State

  /// Asks whether notifications may be shown, if the person was not asked yet. The app works without.
  func askForNotifications() async

  /// Shows the app's page in Settings.
  func openSettings() async
}

extension MetricGroup {
  /// Why its types are read.
  fileprivate var reason: String {
    switch self {
    case .activity: "Movement and energy: today's numbers, your goal, and the totals of each day."
    case .walking: "How you walk: speed, length of steps and steadiness of each day."
    case .heart:
      "Heart: its rate in raw samples, and the mean, extremes and variability of each day."
    case .vitals: "Breath, blood and temperature: the readings of each day."
    case .sleep: "Sleep and rest: each night with its stages."
    case .body: "Weight and measures: the newest, and those of each day."
    case .surroundings: "Sound and sun: how much of it each day had."
    case .nutrition: "Food and drink, where you write them down: the sums of each day."
    }
  }
}
