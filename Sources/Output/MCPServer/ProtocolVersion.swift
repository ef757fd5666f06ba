/// A revision of the Model Context Protocol that the server speaks (R53).
package enum ProtocolVersion: String, CaseIterable, Comparable, Sendable {
  case november2024 = "2024-11-05"
  case march2025 = "2025-03-26"
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"
  case july2026 = "2026-07-28"

  /// The newest that `initialize` can agree on.
  static let latestWithHandshake = ProtocolVersion.november2025

  /// True where every request names its version and capabilities itself, and no `initialize` is.
  var isPerRequest: Bool { self >= .july2026 }

  /// Only one revision ever had JSON-RPC batches.
  var hasBatches: Bool { self == .march2025 }

  /// `annotations` of a tool.
  var hasAnnotations: Bool { self >= .march2025 }

  /// `structuredContent` of a result; `outputSchema` and `title` of a tool.
  var hasStructuredContent: Bool { self >= .june2025 }

  /// All versions, newest first, as clients get them.
  static var newestFirst: [ProtocolVersion] { allCases.sorted(by: >) }

  /// The older version is the lesser.
  package static func < (a: ProtocolVersion, b: ProtocolVersion) -> Bool {
    a.rawValue < b.rawValue
  }
}
