/// One screen of the first steps.
public enum OnboardingStep: String, CaseIterable, Codable, Comparable, Hashable, Sendable {
  /// What leaves the phone, and where to.
  case consent
  /// The endpoint and its token, or the bucket and its keys.
  case receiver
  /// All that the app must be allowed.
  case permissions
  /// The last seven days of HealthKit.
  case firstSync = "first_sync"
  /// The services run.
  case finished

  /// By their order.
  public static func < (a: OnboardingStep, b: OnboardingStep) -> Bool { a.number < b.number }

  private var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
