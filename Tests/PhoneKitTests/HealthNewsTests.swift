import Foundation
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
  @Test func `R47: the records of a day are sent again when a sample of it is deleted weeks later`()
    async throws
  {
    let app = try RehearsedApp()
    let service = try await app.service()
    try await service.setRunning(true)
    let measured = app.now.adding(seconds: -60)
    let date = try ReportingDay.date(at: measured, timeZoneName: "Europe/Berlin").description
    try app.health.add(.heartRate, 61, at: measured, number: 1)
    try app.health.add(.heartRate, 70, at: measured.adding(seconds: -60), number: 2)
    await app.runToItsEnd(service)
    func waiting() async throws -> String {
      // The hub does not answer, so what is to be sent is kept.
      try? await service.syncRecords()
      let file = app.folder.appending(path: "changed.json")
      return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
    _ = try await waiting()
    app.pass(20 * 86_400)
    #expect(try await !waiting().contains(date))
    try app.health.delete(.heartRate, number: 1, at: app.now)
    #expect(try await waiting().contains(date))
  }
}
