/// The background tasks that a phone's system wakes a collector for, with what each is for.
///
/// Info.plist names the identifiers under `BGTaskSchedulerPermittedIdentifiers`, and the modes
/// `location`, `audio`, `fetch` and `processing` under `UIBackgroundModes`.
public enum BackgroundTask: String, CaseIterable, Hashable, Sendable {
  /// A short task that the system allows several times a day.
  case refresh
  /// A longer one, most often at night while the phone is charged.
  case processing
  /// What is left of an upload.
  case sync

  /// What identifiers begin with unless an app says otherwise.
  public static let defaultPrefix = "com.jaces.ios"

  /// The task's identifier, such as `com.jaces.ios.refresh`.
  public func identifier(prefix: String = defaultPrefix) -> String { "\(prefix).\(rawValue)" }

  /// The task with an identifier; nil for another app's.
  public init?(identifier: String, prefix: String = defaultPrefix) {
    guard let task = Self.allCases.first(where: { $0.identifier(prefix: prefix) == identifier })
    else { return nil }
    self = task
  }

  /// What is done in it, in this order.
  public var steps: [RunBudget.Step] {
    switch self {
    case .refresh, .processing: RunBudget.Step.allCases
    case .sync: [.sync]
    }
  }
}
