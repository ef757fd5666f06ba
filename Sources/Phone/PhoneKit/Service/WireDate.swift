public import Foundation

/// How moments are written in entries.
public enum WireDate {
  /// ISO 8601 in UTC, to the millisecond, such as `2025-01-30T10:00:00.000Z`.
  public static func text(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
