import StoreTesting
import TestSupport
import Testing

@testable import HealthModel

/// Metrics beside the required ones (R42).
@Suite(.unit) struct OptionalMetricTests {
  /// A revision with some optional metrics.
  private func revision() throws -> DailyRevision {
    var revision = try Sample.revision()
    revision.readings.optional = [.weight: 80.25, .vo2Max: 41.5, .bloodPressureSystolic: 118]
    return revision
  }

  /// The revision with a member changed before it is read.
  private func decoded(
    _ change: (inout [String: JSONValue], inout [String: JSONValue], inout [String: JSONValue]) ->
      Void
  ) throws -> DailyRevision.Decoded {
    var members = try #require(try revision().document().objectValue)
    var values = try #require(members["metrics"]?.objectValue)
    var statuses = try #require(members["metric_status"]?.objectValue)
    var units = try #require(members["metric_units"]?.objectValue)
    change(&values, &statuses, &units)
    members["metrics"] = .object(values)
    members["metric_status"] = .object(statuses)
    members["metric_units"] = .object(units)
    return DailyRevision.decode(JSONValue.object(members).canonicalBytes)
  }

  @Test func `R42: an optional metric stands in all three maps, and is read back`() throws {
    let revision = try revision()
    let decoded = DailyRevision.decode(revision.encoded)
    #expect(decoded.violations == [] && decoded.notes == [])
    #expect(decoded.revision == revision)
    let document = try JSONValue(parsing: revision.encoded)
    #expect(document["metrics"]?["weight"] == .number(80.25))
    #expect(document["metric_units"]?["vo2_max"] == .string("mL/min·kg"))
    #expect(document["metric_status"]?["blood_pressure_systolic"] == .string("ok"))
    #expect(document["metrics"]?.objectValue?.count == 11)
    #expect(document.canonicalBytes == revision.encoded)
  }

  @Test func `R42: without optional metrics the bytes are those of before`() throws {
    let plain = try Sample.revision()
    var emptied = try revision()
    emptied.readings.optional = [:]
    #expect(emptied.encoded == plain.encoded)
    #expect(try revision().payload != plain.payload)
  }

  @Test func `R9, R42: a day has every required metric, and an optional one only with its number`()
    throws
  {
    var revision = try Sample.revision()
    revision.readings = [.weight: .value(80), .height: .unsupported, .steps: .value(7)]
    #expect(revision.readings.optional == [.weight: 80])
    #expect(Set(revision.readings.keys) == Set(DailyMetric.required + [.weight]))
    #expect(revision.reading(of: .steps) == .value(7))
    #expect(revision.reading(of: .sleepInBed) == .noData)
    #expect(revision.reading(of: .weight) == .value(80))
    #expect(revision.reading(of: .height) == .noData)
  }

  @Test func `R42: what is not whole is kept as an unknown member, and hides nothing`() throws {
    for change:
      (inout [String: JSONValue], inout [String: JSONValue], inout [String: JSONValue]) -> Void
      in [
        { values, _, _ in values["weight"] = nil }, { _, statuses, _ in statuses["weight"] = nil },
        { _, _, units in units["weight"] = nil },
        { values, _, _ in values["weight"] = .null },
        { values, _, _ in values["weight"] = .string("80") },
        { _, statuses, _ in statuses["weight"] = .string("no_data") },
        { _, statuses, _ in statuses["weight"] = .number(1) },
      ]
    {
      let found = try decoded(change)
      #expect(found.violations == [])
      let revision = try #require(found.revision)
      #expect(revision.readings.optional == [.vo2Max: 41.5, .bloodPressureSystolic: 118])
      #expect(!found.notes.isEmpty && found.notes.allSatisfy { $0.hasSuffix("/weight") })
      #expect(DailyRevision.decode(revision.encoded).revision == revision)
    }
  }

  @Test func `R42: another unit and a negative number are violations, and readable`() throws {
    let unit = try decoded { _, _, units in units["weight"] = .string("lb") }
    #expect(unit.violations.map(\.code) == ["unit_mismatch"])
    #expect(unit.violations.map(\.rule) == ["R42"])
    #expect(unit.revision?.readings[.weight] == nil && unit.revision != nil)
    let negative = try decoded { values, _, _ in values["vo2_max"] = .number(-1) }
    #expect(negative.violations.map(\.code) == ["negative_value"])
    #expect(negative.violations.map(\.pointer) == ["/metrics/vo2_max"])
    #expect(negative.revision?.readings[.vo2Max] == nil && negative.revision != nil)
    var revision = try revision()
    revision.readings[.weight] = .value(-1)
    #expect(!revision.violations.isEmpty)
  }

  @Test func `R13, R42: both ways to write optional metrics give the same bytes`() throws {
    var random = SplitMix64(seed: .random(in: .min ... .max))
    for _ in 0..<200 {
      var revision = try Sample.revision()
      for metric in DailyMetric.optional.shuffled(using: &random).prefix(
        .random(in: 0...107, using: &random))
      {
        revision.readings.optional[metric] = [0, 0.1, 1e21, 1e-7, 123_456.789].randomElement(
          using: &random)
      }
      let document = try JSONValue(parsing: revision.encoded)
      #expect(document.canonicalBytes == revision.encoded)
      #expect(revision.violations == [])
      let decoded = DailyRevision.decode(revision.encoded)
      #expect(decoded.revision == revision && decoded.violations == [] && decoded.notes == [])
      #expect(revision.encoded.count < DailyRevision.maximumBytes)
      var kept = revision
      kept.unknownMembers = ["app": .string("x")]
      #expect(DailyRevision.decode(kept.encoded).revision == kept)
    }
  }
}
