import HealthModel
import StoreTesting
import TestSupport
import Testing

@testable import HealthLedger

/// The findings for a resolved revision, which is not read again (R35, R41, R60).
@Suite(.unit) struct ResolvedInspectionTests {
  private var random = SplitMix64(seed: 35)

  private static let changes: [@Sendable (inout [String: JSONValue]) -> Void] = [
    { _ in },
    { $0["digest"] = nil },
    { $0["app"] = .string("another's") },
    { $0["date"] = .string("2026-03-11") },
    { $0["schema_version"] = .string("health.v1") },
    { $0["collector"] = nil },
    { $0["day"] = day(zone: "Europe/Berlin", start: "2026-03-10T01:00:00+01:00") },
    { $0["day"] = day(zone: "Mars/Olympus", start: "2026-03-10T00:00:00+01:00") },
    { $0["metrics"] = metrics($0, "steps", .number(9)) },
    { $0["metrics"] = metrics($0, "steps", .number(0)) },
    { $0["metrics"] = metrics($0, "steps", .number(1e9)) },
    { $0["metrics"] = metrics($0, "steps", .number(-1)) },
    { $0["metrics"] = metrics($0, "stand_hours", .number(99)) },
    { $0["metrics"] = metrics($0, "weight", .number(80)) },
  ]

  private static func day(zone: String, start: String) -> JSONValue {
    .object([
      "timezone": .string(zone), "start": .string(start),
      "end": .string("2026-03-11T00:00:00+01:00"),
    ])
  }

  private static func metrics(
    _ members: [String: JSONValue], _ key: String, _ value: JSONValue
  ) -> JSONValue {
    .object((members["metrics"]?.objectValue ?? [:]).merging([key: value]) { $1 })
  }

  /// A sound document after one or two changes, most often with a digest that fits, and now and then
  /// in other bytes of the same value.
  private mutating func document() throws -> [UInt8] {
    let id = Sample.id(0)
    var members = try #require(
      try JSONValue(parsing: Sample.body(try Sample.draft(steps: 4000), id)).objectValue)
    for _ in 0..<Int.random(in: 0...2, using: &random) { random.pick(Self.changes)(&members) }
    if members["digest"] != nil, !random.chance(4) {
      members["digest"] = .string(DocumentDigest.text(of: members))
    }
    let bytes = JSONValue.object(members).canonicalBytes
    return random.chance(5) ? bytes + Array("\n".utf8) : bytes
  }

  @Test mutating func `R35 it finds what a reading of its bytes finds`() throws {
    let id = Sample.id(0)
    var (taken, shown) = (0, Set<String>())
    for _ in 0..<2000 {
      let body = try document()
      var machine = ResolveMachine(try Sample.date())
      _ = machine.start()
      _ = machine.handle(.pointer(.absent))
      _ = machine.handle(.revisions([id]))
      guard
        case .finish(let resolution) = machine.handle(
          .revision(.found(body, lastModified: Sample.noon.secondsSince1970 + 9 * 86_400))),
        let latest = resolution.latest
      else { continue }
      let inspection = RevisionInspection(
        date: try Sample.date(), id: id, key: "k", now: Sample.noon)
      let findings = inspection.findings(of: latest)
      #expect(
        findings == inspection.findings(of: latest.body, lastModified: latest.lastModified),
        "\(String(decoding: body, as: UTF8.self))")
      if latest.isCanonical { taken += 1 }
      shown.formUnion(findings.map(\.code))
    }
    // Both code paths ran, and each had something to find.
    #expect((300..<1500).contains(taken))
    #expect(
      shown.isSuperset(of: [
        "digest_differs", "not_canonical", "start_differs_from_zone", "unknown_time_zone",
        "implausible_value", "suspicious_zero", "id_far_from_last_modified", "unknown_member",
      ]), "\(shown)")
  }
}
