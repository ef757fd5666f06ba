import ArgumentParser

/// How `verify` writes its results to stdout.
enum VerifyFormat: String, ExpressibleByArgument, CaseIterable {
  /// For people; may change.
  case text
  /// One JSON document; stable (docs/OUTPUT.md).
  case json
  /// JUnit XML, a test case for each date.
  case junit
  /// SARIF 2.1.0, a result for each finding.
  case sarif
}
