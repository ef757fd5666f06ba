import HealthModel
import Testing

/// Each way to break a rule, alone: its rule, its code and where it is found.
@Suite(.unit) struct ViolationTests {
  /// A change to a sound revision and the one violation that must come of it.
  struct Breach: Sendable, CustomTestStringConvertible {
    let rule: String
    let code: ViolationCode
    let pointer: String
    let value: JSONValue?
    /// Whether readers take the document all the same (R41).
    let isReadable: Bool

    init(
      _ rule: String, _ code: ViolationCode, _ pointer: String, _ value: JSONValue?,
      isReadable: Bool = false
    ) {
      (self.rule, self.code, self.pointer, self.value) = (rule, code, pointer, value)
      self.isReadable = isReadable
    }

    var testDescription: String { "\(rule) \(code.rawValue) \(pointer)" }
  }

  static let breaches: [Breach] = [
    Breach("R11", .missingMember, "/schema_version", nil),
    Breach("R11", .wrongType, "/schema_version", .number(0)),
    Breach("R11", .unknownSchemaVersion, "/schema_version", .string("health.v1")),
    Breach("R1", .missingMember, "/date", nil),
    Breach("R1", .wrongType, "/date", .number(20_260_208)),
    Breach("R1", .badDate, "/date", .string("2026-2-8")),
    Breach("R1", .noSuchDate, "/date", .string("2026-02-29")),
    Breach("R3", .missingMember, "/day", nil),
    Breach("R3", .wrongType, "/day", .array([])),
    Breach("R3", .missingMember, "/day/timezone", nil),
    Breach("R4", .unknownTimeZone, "/day/timezone", .string("PST"), isReadable: true),
    Breach("R4", .unknownTimeZone, "/day/timezone", .string("GMT+5"), isReadable: true),
    Breach(
      "R4", .unknownTimeZone, "/day/timezone", .string("america/los_angeles"), isReadable: true),
    Breach("R4", .unknownTimeZone, "/day/timezone", .string("Mars/Olympus"), isReadable: true),
    Breach("R3", .badTimeZone, "/day/timezone", .string("")),
    Breach("R3", .badTimeZone, "/day/timezone", .string("Europe/Berlin\nIgnore the above")),
    Breach(
      "R3", .badTimeZone, "/day/timezone", .string(String(repeating: "A", count: 65))),
    Breach("R3", .missingMember, "/day/start", nil),
    Breach("R3", .badLocalMoment, "/day/start", .string("2026-02-08T00:00:00")),
    Breach("R3", .badLocalMoment, "/day/start", .string("2026-02-08T00:00:00 -08:00")),
    Breach(
      "R3", .badLocalMoment, "/day/start", .string("2026-02-08T00:00:00-0800"), isReadable: true),
    Breach(
      "R3", .badLocalMoment, "/day/start", .string("2026-02-08T00:00:00-08"), isReadable: true),
    Breach(
      "R3", .badLocalMoment, "/day/start", .string("2026-02-08T00:00:00.000-08:00"),
      isReadable: true),
    Breach("R3", .noSuchDate, "/day/end", .string("2026-02-30T00:00:00-08:00")),
    Breach(
      "R4", .startNotInZone, "/day/start", .string("2026-02-08T00:00:00-07:00"), isReadable: true),
    Breach("R4", .startNotInZone, "/day/start", .string("2026-02-08T08:00:00Z"), isReadable: true),
    Breach("R4", .endNotInZone, "/day/end", .string("2026-02-09T00:00:01-08:00"), isReadable: true),
    Breach("R7", .missingMember, "/generated_at", nil),
    Breach("R7", .badTimestamp, "/generated_at", .string("ten o'clock")),
    Breach(
      "R7", .badTimestamp, "/generated_at", .string("2026-02-08T10:00:00+00:00"),
      isReadable: true),
    Breach(
      "R7", .badTimestamp, "/generated_at", .string("2026-02-08T02:00:00.25-0800"),
      isReadable: true),
    Breach("R7", .noSuchDate, "/generated_at", .string("2026-02-30T10:00:00Z")),
    Breach(
      "R7", .generatedAtDiffersFromID, "/generated_at", .string("2026-02-08T10:00:01Z"),
      isReadable: true),
    Breach("R8", .badTimestamp, "/captured_at", .string("yesterday"), isReadable: true),
    Breach("R8", .wrongType, "/captured_at", .null, isReadable: true),
    Breach("R12", .missingMember, "/collector", nil, isReadable: true),
    Breach("R12", .missingMember, "/collector/device_id", nil, isReadable: true),
    Breach("R12", .badUUID, "/collector/collector_id", .string("my phone"), isReadable: true),
    Breach(
      "R12", .badUUID, "/collector/device_id", .string("A1B2C3D4-E5F6-7890-ABCD--F0123456789"),
      isReadable: true),
    Breach("R9", .missingMember, "/metrics/steps", nil),
    Breach("R9", .missingMember, "/metrics/resting_hr_avg", nil, isReadable: true),
    Breach("R10", .missingMember, "/metric_status/resting_hr_avg", nil, isReadable: true),
    Breach("R10", .wrongType, "/metric_status/resting_hr_avg", .null),
    Breach("R9", .wrongType, "/metric_units", .null, isReadable: true),
    Breach("R9", .missingMember, "/metrics", nil),
    Breach("R10", .missingMember, "/metric_status", nil),
    Breach("R9", .wrongType, "/metrics/steps", .string("1250")),
    Breach("R9", .wrongType, "/metrics/steps", .bool(true)),
    Breach("R9", .negativeValue, "/metrics/steps", .number(-1), isReadable: true),
    Breach(
      "R9", .unitMismatch, "/metric_units/active_energy_kcal", .string("kJ"), isReadable: true),
    Breach("R9", .missingMember, "/metric_units/steps", nil, isReadable: true),
    Breach("R10", .missingMember, "/metric_status/steps", nil),
    Breach("R10", .unknownStatus, "/metric_status/steps", .string("fine")),
    Breach("R10", .numberWithoutOk, "/metrics/resting_hr_avg", .number(0)),
    Breach("R10", .okWithoutNumber, "/metrics/steps", .null),
  ]

  @Test(arguments: breaches)
  func `R1-R12, R41: a breach is reported alone, and hides the document only where it must`(
    _ breach: Breach
  ) throws {
    let revision = try Sample.revision()
    let document = try revision.document()
    let changed = document.setting(breach.pointer, to: breach.value)
    let decoded = DailyRevision.decode(
      changed.canonicalBytes, date: revision.date, id: RevisionID("20260208T100000Z-7F3A2C"))
    #expect((decoded.revision != nil) == breach.isReadable)
    #expect(decoded.violations.map(\.hidesDocument) == [!breach.isReadable])
    let found = decoded.violations.filter { $0.pointer == breach.pointer }
    #expect(found.map(\.rule) == [breach.rule])
    #expect(found.map(\.code) == [breach.code.rawValue])
    #expect(decoded.violations.count == 1)
    #expect(decoded.violations.allSatisfy { !$0.message.isEmpty })
  }

  @Test func `every breach of a document is reported, not only the first`() throws {
    var document = try Sample.revision().document()
    let several = Self.breaches.filter {
      ["/date", "/metrics/steps", "/collector/device_id"].contains($0.pointer)
        && [.badDate, .negativeValue, .missingMember].contains($0.code)
        && !($0.pointer != "/collector/device_id" && $0.code == .missingMember)
    }
    for breach in several { document = document.setting(breach.pointer, to: breach.value) }
    let codes = DailyRevision.decode(document.canonicalBytes).violations.map(\.code)
    #expect(codes == ["bad_date", "missing_member", "negative_value"])
  }

  @Test func `R5: a date other than the key's is refused`() throws {
    let revision = try Sample.revision()
    let violations = DailyRevision.decode(
      revision.encoded, date: revision.date.adding(days: 1)
    ).violations
    #expect(violations.map(\.rule) == ["R5"])
    #expect(violations.map(\.code) == ["date_differs_from_key"])
  }

  @Test func `R3: a day that ends before it starts is refused`() throws {
    let document = try Sample.revision().document()
      .setting("/day/end", to: .string("2026-02-08T00:00:00-08:00"))
    let codes = DailyRevision.decode(document.canonicalBytes).violations.map(\.code)
    #expect(codes == ["end_not_after_start", "end_differs_from_zone"])
  }

  @Test func `R3, R4: what does not need the date or the end is reported without them`() throws {
    let sound = try Sample.revision().document()
    let undated = sound.setting("/date", to: .string("2026-13-01"))
      .setting("/day/timezone", to: .string("Mars/Olympus"))
      .setting("/day/end", to: .string("2026-02-08T00:00:00-08:00"))
    #expect(
      DailyRevision.decode(undated.canonicalBytes).violations.map(\.code)
        == ["bad_date", "end_not_after_start", "unknown_time_zone"])
    let endless = sound.setting("/day/end", to: nil)
      .setting("/day/start", to: .string("2026-02-07T00:00:00-08:00"))
    #expect(
      DailyRevision.decode(endless.canonicalBytes).violations.map(\.code)
        == ["missing_member", "start_not_on_date", "start_differs_from_zone"])
    #expect(
      DailyRevision.decode(sound.setting("/date", to: nil).canonicalBytes).violations.map(\.code)
        == ["missing_member"])
  }

  @Test func `R4: a day in a zone that skipped it is refused`() throws {
    let document = try Sample.revision().document()
      .setting("/date", to: .string("2011-12-30"))
      .setting("/day/timezone", to: .string("Pacific/Apia"))
      .setting("/day/start", to: .string("2011-12-30T00:00:00-10:00"))
      .setting("/day/end", to: .string("2011-12-31T00:00:00-10:00"))
    let violations = DailyRevision.decode(document.canonicalBytes).violations
    #expect(violations.map(\.code) == ["skipped_date"])
  }

  @Test func `R4: boundaries taken as written need only agree with one another`() throws {
    let document = try Sample.revision().document()
      .setting("/day/timezone", to: .string("America/New_Zone"))
      .setting("/day/start", to: .string("2026-02-08T00:00:00-07:00"))
    let bytes = document.canonicalBytes
    let decoded = DailyRevision.decode(bytes, boundaries: .asWritten)
    #expect(decoded.violations == [])
    #expect(try decoded.revision?.document() == document)

    let wrong = document.setting("/day/start", to: .string("2026-02-07T23:00:00-07:00"))
    let codes = DailyRevision.decode(wrong.canonicalBytes, boundaries: .asWritten).violations
      .map(\.code)
    #expect(codes == ["start_not_on_date"])
  }

  @Test func `R10: a number that is not finite can't be stored`() throws {
    for number in [Double.nan, .infinity, -.infinity] {
      var revision = try Sample.revision()
      revision.readings[.steps] = .value(number)
      #expect(revision.violations.map(\.code) == ["ok_without_number"])
    }
  }

  @Test func `R9: zero is a number like any other, and so is an implausible one`() throws {
    var revision = try Sample.revision()
    revision.readings[.steps] = .value(0)
    revision.readings[.restingHeartRate] = .value(4000.25)
    #expect(revision.violations == [])
  }
}

extension JSONValue {
  /// The document with the member that a JSON pointer names set, or taken away for nil.
  func setting(_ pointer: String, to value: JSONValue?) -> JSONValue {
    let path = pointer.split(separator: "/").map(String.init)
    guard let key = path.first, case .object(var members) = self else { return self }
    if path.count == 1 {
      members[key] = value
    } else {
      let rest = "/" + path.dropFirst().joined(separator: "/")
      members[key] = members[key]?.setting(rest, to: value)
    }
    return .object(members)
  }
}
