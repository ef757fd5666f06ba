import HealthModel
import HealthStreams
import PhoneKit
import Testing

#if canImport(TestSupport)
  import TestSupport
#endif

/// Which news of Health the app is woken for.
@Suite(.unit) struct HealthNewsTests {
  @Test
  func `every type that a day is made of wakes the app, required ones and the stream's at once`() {
    let (atOnce, hourly) = (Set(HealthNews.atOnce), Set(HealthNews.hourly))
    #expect(atOnce.union(hourly) == Set(SampleKind.allCases) && atOnce.isDisjoint(with: hourly))
    for metric in DailyMetric.required { #expect(atOnce.contains(metric.kind), "\(metric)") }
    for type in HealthKitSampling.types {
      #expect(atOnce.contains { $0.identifier == type }, "\(type)")
    }
    // What is pushed is made of some type that is observed.
    for metric in GatewaysMachine.allMetrics {
      #expect(atOnce.contains(metric.kind) || hourly.contains(metric.kind), "\(metric)")
    }
    #expect(atOnce.count < 12)
  }
}
