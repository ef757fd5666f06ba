import HealthLedger
package import HealthModel

/// An input of `put`, recognised by its content: our own metrics JSON, a health.v0 revision, or a
/// Health Auto Export payload (docs/METRICS-JSON.md).
package struct SourceDocument: Sendable {
  /// What an input is.
  package enum Kind: String, Hashable, Sendable {
    /// `{"metrics": {...}}` or `{"days": [...]}`.
    case metrics
    /// A complete health.v0 revision, as `get` prints it.
    case revision
    /// `{"data": {"metrics": [...]}}` of the app Health Auto Export.
    case healthAutoExport
  }

  package let kind: Kind
  let root: JSONValue

  /// Most bytes of an input.
  package static let maximumBytes = 32 << 20

  /// Parses the bytes and recognises what they are; a UTF-8 byte-order mark is skipped.
  ///
  /// - Throws: `SourceError` of every code but `invalid` and `unknownTimeZone`.
  package init(parsing bytes: [UInt8]) throws(SourceError) {
    try ForeignFormat.refuse(bytes)
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
    do {
      root = try JSONValue(parsing: text)
    } catch {
      throw JSONPlace(offset: error.offset, in: text).sourceError(error)
    }
    kind = try Self.kind(of: root)
  }

  /// What the bytes are.
  package static func recognise(_ bytes: [UInt8]) throws(SourceError) -> Kind {
    try SourceDocument(parsing: bytes).kind
  }

  /// The days in the bytes: `SourceDocument(parsing:)` and `days(in:defaultDate:)` in one.
  package static func days(
    from bytes: [UInt8], writtenAt: Timestamp? = nil, in zones: ReportingZones,
    defaultDate: CalendarDate? = nil, metrics: Set<DailyMetric> = Set(DailyMetric.allCases)
  ) throws(SourceError) -> SourceResult {
    try SourceDocument(parsing: bytes).days(
      in: zones, writtenAt: writtenAt, defaultDate: defaultDate, metrics: metrics)
  }

  /// The same by the days of one zone.
  package static func days(
    from bytes: [UInt8], timeZoneName: String, defaultDate: CalendarDate? = nil
  ) throws(SourceError) -> SourceResult {
    try days(from: bytes, in: ReportingZones(timeZoneName), defaultDate: defaultDate)
  }

  /// The readings of every day in the input.
  ///
  /// - Parameters:
  ///   - zones: the zones whose days are meant, where the input names none.
  ///   - writtenAt: when the file of a payload was written, if that is known.
  ///   - defaultDate: the day of a metrics JSON that names none.
  ///   - metrics: those that are wanted.
  /// - Throws: `SourceError` with all problems of the input.
  package func days(
    in zones: ReportingZones, writtenAt: Timestamp? = nil, defaultDate: CalendarDate? = nil,
    metrics: Set<DailyMetric> = Set(DailyMetric.allCases)
  ) throws(SourceError) -> SourceResult {
    switch kind {
    case .metrics, .revision:
      _ = try ZoneCalendar(zones)
      var reader = MetricsJSON(zones: zones, defaultDate: defaultDate, wanted: metrics)
      let result = reader.read(root)
      guard reader.problems.isEmpty else { throw SourceError(.invalid, reader.problems) }
      return result
    case .healthAutoExport:
      var options = PayloadOptions()
      options.metrics = metrics
      var payloads = try PayloadSeries(zones: zones, options: options)
      try payloads.add(self, writtenAt: writtenAt)
      return try payloads.result()
    }
  }

  /// The arrays that a payload can hold; automations often send one of them alone.
  private static let payloadMembers: Set<String> = [
    "metrics", "workouts", "stateOfMind", "medications", "symptoms", "cycleTracking", "ecg",
    "heartRateNotifications",
  ]

  static func kind(of root: JSONValue) throws(SourceError) -> Kind {
    let forms: LedgerError.Remedy =
      "give {\"metrics\": {...}}, {\"days\": [...]} or a Health Auto Export payload"
    guard let members = root.objectValue else {
      throw SourceError(.notRecognised, "the input is not a JSON object", remedy: forms)
    }
    if members["schema_version"] != nil { return .revision }
    if members["metrics"] != nil || members["days"] != nil { return .metrics }
    switch members["data"] {
    case .object(let data)
    where data.isEmpty || data.keys.contains(where: payloadMembers.contains):
      return .healthAutoExport
    case .array(let data) where data.isEmpty: return .healthAutoExport
    default: break
    }
    let names = members.keys.sorted().prefix(5).map { "'\($0.prefix(40))'" }
    let held = names.isEmpty ? "no members" : "the members \(names.joined(separator: ", "))"
    throw SourceError(
      .notRecognised, "the input is JSON of an unknown form, with \(held)", remedy: forms)
  }
}
