import HealthModel
import HealthSources
import Testing

/// The eight metrics stand in the format and in the catalogue; this holds that they are the same.
@Suite(.tags(.unit)) struct CatalogueAgreementTests {
  @Test func `R9: the catalogue has the eight metrics of the format, each once, in their order`() {
    #expect(DailyMetric.allCases.compactMap(\.v0Key) == Metric.allCases.map(\.rawValue))
    #expect(DailyMetric.ofV0.map(\.metric) == Metric.allCases)
  }

  @Test(arguments: DailyMetric.ofV0)
  func `R9: their units are those of the format`(daily: DailyMetric) throws {
    #expect(try daily.unitLabel == #require(daily.metric).unit)
  }

  @Test(arguments: DailyMetric.allCases)
  func `a further metric has no key of the format`(daily: DailyMetric) {
    #expect((Metric(rawValue: daily.rawValue) != nil) == (daily.v0Key != nil))
  }
}
