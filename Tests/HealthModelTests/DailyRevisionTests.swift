import StoreTesting
import Testing

@testable import HealthModel

@Suite(.unit) struct DailyRevisionTests {
  @Test func `R7-R14: what was encoded is read back as the same revision`() throws {
    let revision = try Sample.revision()
    let id = try #require(RevisionID("20260208T100000Z-7F3A2C"))
    let decoded = DailyRevision.decode(revision.encoded, date: revision.date, id: id)
    #expect(decoded.violations == [])
    #expect(decoded.notes == [])
    #expect(decoded.revision == revision)
    #expect(revision.violations == [])
  }

  @Test func `R8: captured_at is written where it is known, and read back`() throws {
    var revision = try Sample.revision()
    revision.capturedAt = Timestamp("2026-02-08T09:59:58Z")
    #expect(DailyRevision.decode(revision.encoded).revision == revision)
    #expect(String(decoding: revision.encoded, as: UTF8.self).contains("\"captured_at\""))
  }

  @Test func `R14: unknown members are kept where they stood and reported as notes`() throws {
    var revision = try Sample.revision()
    revision.unknownMembers = [
      "app": .string("x"), "metrics": .object(["vo2_max": .number(41)]),
      "a/b~c": .array([.null]),
    ]
    let decoded = DailyRevision.decode(revision.encoded)
    #expect(decoded.violations == [])
    #expect(decoded.notes == ["/app", "/a~1b~0c", "/metrics/vo2_max"].sorted())
    #expect(decoded.revision == revision)
    #expect(decoded.revision?.encoded == revision.encoded)
  }

  @Test func `the payload leaves out generated_at and captured_at and nothing else`() throws {
    let first = try Sample.revision()
    var second = first
    second.generatedAt = first.generatedAt.adding(seconds: 3600)
    second.capturedAt = first.generatedAt
    #expect(first.payload == second.payload)
    #expect(first.encoded != second.encoded)
    second.readings[.steps] = .value(1251)
    #expect(first.payload != second.payload)
  }

  @Test func `R13: both ways to write a revision give the same bytes, and the same violations`()
    throws
  {
    var generator = SplitMix64(seed: .random(in: .min ... .max))
    let numbers: [MetricReading] = [
      .noData, .unauthorized, .unsupported, .value(0), .value(-0.0), .value(1e21), .value(1e-7),
      .value(0.1), .value(123_456.789), .value(-1), .value(.nan), .value(.infinity),
    ]
    for round in 0..<500 {
      var revision = try Sample.revision()
      for metric in DailyMetric.required {
        let sound = numbers.prefix(9)
        let pool = round % 2 == 0 ? sound : numbers[...]
        revision.readings[metric] = pool.randomElement(using: &generator)
      }
      if Bool.random(using: &generator) { revision.capturedAt = Timestamp(secondsSince1970: round) }
      if round % 10 == 0 {
        revision.day = ReportingDay(
          date: revision.day.date, timeZoneName: revision.day.timeZoneName,
          start: revision.day.start, end: revision.day.start)
      }
      // An empty object among the known members takes the general way and adds nothing.
      var general = revision
      general.unknownMembers = ["metrics": .object([:])]
      #expect(revision.encoded == general.encoded)
      #expect(revision.violations == DailyRevision.decode(revision.encoded).violations)
    }
  }
}
