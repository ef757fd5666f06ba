public import HealthModel
import HealthStreams

/// The types of Health whose news wakes the app, while the stream of Health is on. Each of them changes a
/// day, and values that are pushed.
public enum HealthNews {
  /// At once: those that are collected, and those that a required metric is made of.
  public static let atOnce = SampleKind.allCases.filter { kind in
    HealthKitSampling.types.contains(kind.identifier)
      || DailyMetric.required.contains { $0.kind == kind }
  }

  /// Within the hour: all others.
  public static let hourly = SampleKind.allCases.filter { !atOnce.contains($0) }
}
