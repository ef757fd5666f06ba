import TestSupport

@testable import HealthReport

extension ReadPage {
  static func read(_ report: RangeReport, expect: [String] = []) async throws -> ReadPage {
    try await read([(try ReportPage(report).bytes, expect)])[0]
  }
}
