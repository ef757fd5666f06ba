import StoreTesting
import TestSupport
import Testing

@testable import HealthModel

/// R41: what can still be understood of a document that breaks rules.
@Suite(.unit) struct ReadableTests {
  private let id = RevisionID("20260208T100000Z-7F3A2C")

  private func decode(
    _ changes: [(String, JSONValue?)], boundaries: DailyRevision.BoundaryCheck = .database
  ) throws -> DailyRevision.Decoded {
    var document = try Sample.revision().document()
    for (pointer, value) in changes { document = document.setting(pointer, to: value) }
    let date = try Sample.revision().date
    return DailyRevision.decode(
      document.canonicalBytes, date: date, id: id, boundaries: boundaries)
  }

  @Test func `R41: a document that a collector of another make writes can be read`() throws {
    let decoded = try decode([
      ("/generated_at", .string("2026-02-08T10:00:01Z")),
      ("/collector/device_id", .string("phone")), ("/collector/collector_id", nil),
      ("/day/start", .string("2026-02-08T00:00:00.000-0800")),
      ("/day/end", .string("2026-02-09T00:00:00-08")),
      ("/metrics/hrv_sdnn_avg", nil), ("/metric_status/hrv_sdnn_avg", nil),
      ("/metric_units/hrv_sdnn_avg", nil), ("/metrics/stand_hours", .number(-4)),
      ("/metric_status/stand_hours", .string("ok")), ("/metric_units/steps", .string("steps")),
    ])
    let revision = try #require(decoded.revision)
    #expect(revision.generatedAt == Timestamp("2026-02-08T10:00:01Z"))
    #expect(revision.collector == nil)
    #expect(revision.day == (try Sample.revision().day))
    #expect(revision.readings[.heartRateVariability] == .noData)
    #expect(revision.readings[.standHours] == .value(-4))
    #expect(revision.readings[.steps] == (try Sample.revision().readings[.steps]))
    #expect(
      decoded.violations.map(\.code).sorted() == [
        "bad_local_moment", "bad_local_moment", "bad_uuid", "generated_at_differs_from_id",
        "missing_member", "missing_member", "missing_member", "missing_member", "negative_value",
        "unit_mismatch",
      ])
    #expect(decoded.violations.allSatisfy { !$0.hidesDocument })
  }

  @Test(arguments: ["health.v1", "health.v00", "Health.v0", "health.v0 ", ""])
  func `R11: another version is not guessed at, however well the rest fits`(
    version: String
  ) throws {
    let decoded = try decode([("/schema_version", .string(version))])
    #expect(decoded.revision == nil)
    #expect(decoded.violations.map(\.rule) == ["R11"])
    #expect(decoded.violations.map(\.code) == [ViolationCode.unknownSchemaVersion.rawValue])
  }

  @Test func `R41: a status without its value says why there is no number`() throws {
    let decoded = try decode([
      ("/metrics/hrv_sdnn_avg", nil), ("/metric_status/hrv_sdnn_avg", .string("unauthorized")),
    ])
    #expect(decoded.revision?.readings[.heartRateVariability] == .unauthorized)
  }

  @Test func `R41: a number that is not said to be ok, and ok without a number, hide all`() throws {
    for changes: [(String, JSONValue?)] in [
      [("/metric_status/steps", nil)], [("/metrics/steps", nil)],
      [("/metrics/steps", .null)], [("/metric_status/steps", .string("no_data"))],
      [("/metric_status/steps", .string("pending"))],
    ] {
      #expect(try decode(changes).revision == nil, "\(changes)")
    }
  }

  @Test func `R4, R41: an unknown zone can be read, a text that is not a name can't`() throws {
    for (zone, isReadable) in [
      ("Mars/Olympus", true), ("Etc/GMT+5", true), ("europe/berlin", true),
      ("Europe/Berlin; say yes", false), ("\u{202E}UTC", false), ("Europe/Zu\u{308}rich", false),
    ] {
      for boundaries in [DailyRevision.BoundaryCheck.database, .asWritten] {
        let decoded = try decode([("/day/timezone", .string(zone))], boundaries: boundaries)
        #expect((decoded.revision?.day.timeZoneName == zone) == isReadable, "\(zone)")
        #expect((decoded.revision != nil) == isReadable, "\(zone)")
      }
    }
  }

  @Test(arguments: [
    ("2026-02-08T00:00:00.5-08:00", "2026-02-08T00:00:00-08:00"),
    ("2026-02-08T00:00:00.123456789012-0800", "2026-02-08T00:00:00-08:00"),
    ("2026-02-08T00:00:00+05", "2026-02-08T00:00:00+05:00"),
    ("2026-02-08T00:00:00-00:00", "2026-02-08T00:00:00+00:00"),
    ("2026-02-08T00:00:00-0000", "2026-02-08T00:00:00+00:00"),
    ("2026-02-08T00:00:00-00", "2026-02-08T00:00:00+00:00"),
    ("2026-02-08T00:00:00-00:00:00", "2026-02-08T00:00:00+00:00"),
    ("2026-02-08T00:00:00.0Z", "2026-02-08T00:00:00+00:00"),
  ])
  func `R41: a moment in another of its forms is understood`(text: String, moment: String) {
    #expect(ReportingDay.LocalMoment(text) == nil)
    #expect(ReportingDay.LocalMoment(lenient: text)?.description == moment)
  }

  @Test(arguments: [
    "2026-02-08T00:00:00", "2026-02-08T00:00:00.", "2026-02-08T00:00:00.-08:00",
    "2026-02-08T00:00:00-8", "2026-02-08T00:00:00-080", "2026-02-08T00:00:00-2500",
    "2026-02-30T00:00:00Z", "2026-02-08T00:00:00\u{e9}00", "2026-02-08T00:00:00-08000",
    "2026-02-08T00:00:00." + String(repeating: "1", count: 60) + "Z",
  ])
  func `R41: what names no moment is not guessed at`(text: String) {
    #expect(ReportingDay.LocalMoment(lenient: text) == nil)
  }

  @Test func `R41: a document is read if and only if no violation hides it`() throws {
    var mutations = DocumentMutations(random: SplitMix64(seed: 29))
    let base = try Sample.revision().document()
    let date = try Sample.revision().date
    var counts = [0, 0, 0]
    for round in 0..<6000 {
      let bytes = mutations.mutated(base, changes: round % 4).canonicalBytes
      for boundaries in [DailyRevision.BoundaryCheck.database, .asWritten] {
        let decoded = DailyRevision.decode(bytes, date: date, id: id, boundaries: boundaries)
        let isHidden = decoded.violations.contains(where: \.hidesDocument)
        #expect((decoded.revision == nil) == isHidden, "\(String(decoding: bytes, as: UTF8.self))")
        counts[isHidden ? 0 : decoded.violations.isEmpty ? 1 : 2] += 1
        // What is kept of it is sound in itself, so that no reader meets a contradiction.
        if let revision = decoded.revision {
          #expect(revision.day.start.timestamp < revision.day.end.timestamp)
          #expect(revision.date == date && revision.readings.count == DailyMetric.required.count)
        }
      }
    }
    #expect(counts.allSatisfy { $0 > 1000 }, "hidden, conforming, readable: \(counts)")
  }

  @Test func `R41: a code says what a breach of it means, where the member does not decide`() throws
  {
    for breach in ViolationTests.breaches {
      switch breach.code.reading {
      case .hidden: #expect(!breach.isReadable, "\(breach.testDescription)")
      case .readable: #expect(breach.isReadable, "\(breach.testDescription)")
      case .either: break
      }
    }
  }
}
