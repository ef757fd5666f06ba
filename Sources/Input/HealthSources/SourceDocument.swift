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
    if members["metrics"]?.arrayValue?.first?["name"] != nil {
      throw SourceError(
        .notRecognised, "the input has metrics of Health Auto Export that stand outside of 'data'",
        remedy: "write {\"data\": {\"metrics\": [...]}}, as the app does")
    }
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

/// Files that people are likely to give by mistake, recognised by their first bytes.
package enum ForeignFormat {
  /// Whether a file with these first bytes can only be Apple Health's export: a zip, or XML.
  package static func isExport(_ head: [UInt8]) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = head.starts(with: mark) ? head[3...] : head[...]
    return head.starts(with: [0x50, 0x4B, 0x03, 0x04])
      || head.starts(with: [0x50, 0x4B, 0x05, 0x06])
      || text.first(where: { !isBlank($0) }) == UInt8(ascii: "<") && !isWebPage(head)
  }

  private static func isWebPage(_ head: [UInt8]) -> Bool {
    let text = String(decoding: head.prefix(512), as: UTF8.self).lowercased()
      .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
  }

  /// Throws for an input that is empty, too large, or a file of another known kind.
  static func refuse(_ bytes: [UInt8]) throws(SourceError) {
    guard bytes.count <= SourceDocument.maximumBytes else {
      throw SourceError(
        .tooLarge,
        "the input has \(bytes.count) bytes, more than the \(SourceDocument.maximumBytes) allowed",
        remedy: "export fewer days at a time")
    }
    guard let first = bytes.first(where: { !isBlank($0) }) else {
      throw SourceError(
        .empty, bytes.isEmpty ? "the input has no bytes" : "the input has only blanks",
        remedy: "check the file, or the command before the pipe")
    }
    if let format = name(bytes, first: first) {
      throw SourceError(.foreignFormat, format.what, remedy: format.remedy)
    }
  }

  private static func name(
    _ bytes: [UInt8], first: UInt8
  ) -> (what: String, remedy: LedgerError.Remedy)? {
    let json = "export JSON from Health Auto Export, or give a metrics JSON"
    if bytes.starts(with: Array("bvx".utf8)) {
      return (
        "the input is an LZFSE-compressed file, as Health Auto Export's iCloud AutoSync writes "
          + "(.hae); such files can't be read",
        "use a manual export or an automation with the format JSON instead of .hae files"
      )
    }
    if bytes.starts(with: [0x50, 0x4B]), isExport(bytes) {
      return (
        "the input is a zip archive", .input(.importExport)
      )
    }
    if bytes.starts(with: [0x1F, 0x8B]) {
      return ("the input is compressed with gzip", "decompress it first (gzip -dc)")
    }
    if bytes.starts(with: Array("bplist".utf8)) {
      return ("the input is a binary property list, not JSON", .text(json))
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return ("the input is UTF-16 text", "save it as UTF-8")
    }
    if isExport(bytes) {
      return (
        "the input is XML", .input(.importExport)
      )
    }
    if isWebPage(bytes) {
      return ("the input is a web page (HTML)", "download the file itself, not the page about it")
    }
    for (mark, place, what) in marks
    where bytes.dropFirst(place).starts(with: mark) {
      return (
        "the input is \(what), not health data", "give export.zip of the Health app; or \(json)"
      )
    }
    return table(bytes)
  }

  /// First bytes, where they stand, and what a file with them is.
  private static var marks: [(bytes: [UInt8], place: Int, what: String)] {
    [
      ([0xFF, 0xD8, 0xFF], 0, "a JPEG picture"), ([0x89, 0x50, 0x4E, 0x47], 0, "a PNG picture"),
      (Array("GIF8".utf8), 0, "a GIF picture"), (Array("ftyp".utf8), 4, "a picture or a video"),
      (Array("%PDF".utf8), 0, "a PDF document"),
      (Array("SQLite format 3".utf8), 0, "an SQLite database"),
      ([0x37, 0x7A, 0xBC, 0xAF], 0, "a 7z archive"), (Array("Rar!".utf8), 0, "a RAR archive"),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A], 0, "compressed with xz"),
      (Array("BZh".utf8), 0, "compressed with bzip2"), (Array("ustar".utf8), 257, "a tar archive"),
    ]
  }

  /// Says that a text is CSV, by its first lines; nil where it is not.
  private static func table(_ bytes: [UInt8]) -> (what: String, remedy: LedgerError.Remedy)? {
    var lines = String(decoding: bytes.prefix(4096), as: UTF8.self).drop { $0 == "\u{FEFF}" }
      .split(whereSeparator: \.isNewline)
    // A line for spreadsheets, which says what separates the fields.
    if lines.first?.lowercased().hasPrefix("sep=") == true { lines.removeFirst() }
    guard let line = lines.first, let first = line.first, !"{[".contains(first),
      line.contains(where: \.isLetter)
    else { return nil }
    let counts = lines.prefix(2).map(fields)
    guard counts[0].count > 2 || counts.count > 1 && counts[0].count == 2 && counts[1].count == 2
    else { return nil }
    let name = counts[0][0].filter { $0 != "\"" }
    if name == "Date" || name == "Date/Time" {
      return (
        "the input is a CSV file, as Health Auto Export writes it; only its JSON is read",
        "choose JSON as the format in Health Auto Export"
      )
    }
    return (
      "the input is a CSV file, not JSON",
      "give export.zip of the Health app, JSON of Health Auto Export, or a metrics JSON"
    )
  }

  private static func fields(_ line: Substring) -> [Substring] {
    line.split(omittingEmptySubsequences: false, whereSeparator: { ",;\t".contains($0) })
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
