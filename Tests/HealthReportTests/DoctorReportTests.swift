import HealthModel
import StoreTesting
import TestSupport
import Testing

@testable import HealthReport

/// The page for a doctor.
@Suite(.process) struct DoctorReportTests {
  /// Days with a weight and a blood pressure on every second one.
  private func report(days: Int) async throws -> RangeReport {
    let sample = SampleRange()
    let first = try sample.date("2026-02-01").adding(days: 1 - days)
    for place in 0..<days {
      let date = try #require(first?.adding(days: place))
      var optional: [DailyMetric: Double] = [.weight: 80 - Double(place) / 10]
      if place % 2 == 0 {
        optional[.bloodPressureSystolic] = 120 + Double(place)
        optional[.bloodPressureDiastolic] = 80
      }
      try await sample.publish("\(date)", SampleRange.all(), optional: optional)
    }
    return try await sample.report("\(try #require(first))", "2026-02-01")
  }

  private func text(_ report: RangeReport, _ reader: ReportReader) throws -> String {
    String(decoding: try ReportPage(report, for: reader).bytes, as: UTF8.self)
  }

  @Test func `averages with their range come first, and coverage and findings last`() async throws {
    let page = try text(try await report(days: 11), ReportReader(.doctor))
    let order = [
      "averages", "readings", "metrics", "words", "data", "coverage", "revisions", "table",
    ]
    let places = order.map { page.firstRange(of: "<h2 id=\"\($0)\">")?.lowerBound }
    #expect(places.allSatisfy { $0 != nil })
    #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
    // Of 80.0 down to 79.0 kg, and of 120, 122 ... 130 mmHg.
    #expect(page.contains("<td>79.5 kg</td><td>79.0 to 80.0</td>"))
    #expect(page.contains("<td>125 mmHg</td><td>120 to 130</td>"))
    #expect(page.contains("Blood pressure, systolic"))
  }

  @Test func `readings are listed newest first, pressures as pairs, and what is left out is said`()
    async throws
  {
    let page = try text(try await report(days: 60), ReportReader(.doctor))
    let rows = try #require(page.firstRange(of: "<h3>Weight, kg</h3>")).upperBound
    let weights = page[rows...].components(separatedBy: "<th scope=\"row\">").dropFirst()
    #expect(weights.first?.hasPrefix("2026-02-01</th><td>74.1</td>") == true)
    #expect(page.contains("</th><td>178/80</td>"))
    #expect(page.contains("The newest 40 of 60 days"))
    #expect(!page.contains("of 30 days; all"))
  }

  @Test func `the tables of an appendix are open, so that they are printed`() async throws {
    let report = try await report(days: 3)
    let (doctor, me) = (try text(report, ReportReader(.doctor)), try text(report, ReportReader()))
    #expect(doctor.contains("<details open=\"\">") && !doctor.contains("<details>"))
    #expect(me.contains("<details>") && !me.contains("<details open"))
  }

  @Test func `nothing is said of the person but what is given`() async throws {
    let report = try await report(days: 2)
    for kind in ReportReader.Kind.allCases {
      #expect(try !text(report, ReportReader(kind)).contains("class=\"person\""))
      let born = CalendarDate("1970-01-31")
      #expect(try text(report, ReportReader(kind, born: born)).contains(">born 1970-01-31<"))
      let both = try text(report, ReportReader(kind, name: "Ann", born: born))
      #expect(both.contains(">Ann, born 1970-01-31<"))
    }
  }

  @Test func `names are text, and both pages are valid`() async throws {
    let report = try await report(days: 9)
    var random = SplitMix64(seed: 34)
    for kind in ReportReader.Kind.allCases {
      let name = HostileTextTests.text(&random)
      let page = try ReportPage(report, for: ReportReader(kind, name: name)).bytes
      #expect(try await ReadPage.read([(page, [name])])[0].bad == [])
    }
  }

  @Test func `R10: a range without a number has no averages, and says so`() async throws {
    let sample = SampleRange()
    let page = try text(
      try await sample.report("2026-02-01", "2026-02-03"), ReportReader(.doctor))
    #expect(page.contains("No number in this range") && !page.contains("class=\"data averages\""))
  }
}
