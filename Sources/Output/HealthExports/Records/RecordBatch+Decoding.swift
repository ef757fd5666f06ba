package import HealthModel

extension RecordBatch {
  /// Reads the body of a request: `{"records":[...]}`.
  ///
  /// Strict: every member must be known and of its form, so that nothing that was sent is dropped in
  /// silence. UUIDs become lower case; digits of a moment beyond microseconds are cut.
  ///
  /// - Parameter bytes: at most what the caller has bounded.
  /// - Throws: every fault.
  package init(
    parsing bytes: [UInt8], of kind: RecordKind, in bounds: RecordBounds
  ) throws(IngestRefusal) {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: bytes, maximumDepth: 8)
    } catch {
      throw IngestRefusal([RequestFault(.syntax, "\(error.kind.words), at byte \(error.offset)")])
    }
    try self.init(json: json, of: kind, in: bounds)
  }

  /// The same, of a body that was parsed.
  package init(
    json: JSONValue, of kind: RecordKind, in bounds: RecordBounds
  ) throws(IngestRefusal) {
    guard case .object(let members) = json else {
      throw IngestRefusal([RequestFault(.wrongType, "the body must be an object")])
    }
    guard let list = members["records"] else {
      throw IngestRefusal([RequestFault(.missingMember, "/records", "the member is missing")])
    }
    guard case .array(let values) = list else {
      throw IngestRefusal([RequestFault(.wrongType, "/records", "must be an array")])
    }
    guard values.count <= Self.maximumCount else {
      throw IngestRefusal([
        RequestFault(
          .tooManyRecords, "/records",
          "\(values.count) records; at most \(Self.maximumCount) are taken in a request")
      ])
    }
    var reader = RecordReader(bounds)
    for name in members.keys.sorted() where name != "records" {
      reader.faults.add(
        RequestFault(.unknownMember, "/" + RecordReader.escaped(name), "the member is not known")
      )
    }
    switch kind {
    case .metrics: self = .metrics(reader.all(values) { $0.metric() })
    case .workouts: self = .workouts(reader.all(values) { $0.workout() })
    case .sleep: self = .sleep(reader.all(values) { $0.sleep() })
    }
    if reader.faults.count > 0 { throw reader.faults }
  }
}

extension JSONError.Kind {
  /// Without what the text says.
  fileprivate var words: String {
    switch self {
    case .encoding: "the body is not UTF-8"
    case .loneSurrogate: "half a surrogate pair"
    case .syntax: "the body is not valid JSON"
    case .duplicateKey: "an object has a key twice"
    case .depth: "nested too deeply"
    case .numberRange: "a number is too large"
    }
  }
}

/// Reads the members of one record after another, and gathers all that is wrong.
struct RecordReader {
  var faults = IngestRefusal(keeping: 1000)
  private let bounds: RecordBounds
  private var pointer = ""
  private var members: [String: JSONValue] = [:]

  init(_ bounds: RecordBounds) { self.bounds = bounds }

  mutating func all<Record>(
    _ values: [JSONValue], _ read: (inout RecordReader) -> Record?
  ) -> [Record] {
    var records: [Record] = []
    records.reserveCapacity(values.count)
    for (place, value) in values.enumerated() {
      pointer = "/records/\(place)"
      guard case .object(let members) = value else {
        faults.add(RequestFault(.wrongType, pointer, "must be an object"))
        continue
      }
      self.members = members
      if let record = read(&self) { records.append(record) }
    }
    return records
  }

  // MARK: - The three kinds

  mutating func metric() -> MetricRecord? {
    allow(["healthkit_uuid", "date", "type", "value", "unit", "timezone"])
    let id = text("healthkit_uuid", maximumBytes: 300)
    let date = date()
    let type = text("type", maximumBytes: 200)
    let value = number("value", isRequired: !isNull("value"))
    let unit = optionalText("unit", maximumBytes: 50)
    let zone = timeZoneName()
    guard let id, let date, let type else { return nil }
    if !Self.same(id, MetricRecord.id(date, type)) {
      note(.invalidValue, "healthkit_uuid", "must be {date}_{type}: the date as YYYY-MM-DD")
    }
    if let metric = Self.metrics[type] {
      if !Self.same(type, metric.recordType) {
        note(.invalidValue, "type", "must be \(metric.recordType), byte for byte")
      }
      if let unit, !Self.same(unit, metric.recordUnitLabel) {
        note(.invalidValue, "unit", "must be \(metric.recordUnitLabel) for this type")
      }
    }
    guard value != nil || isNull("value") else { return nil }
    if let value { check(value, RecordBounds.values(of: type), "value") }
    return MetricRecord(
      date: date, type: type, value: value, unit: unit, timeZoneName: zone)
  }

  mutating func workout() -> WorkoutRecord? {
    allow([
      "healthkit_uuid", "type", "start_time", "end_time", "duration_seconds", "timezone", "metrics",
    ])
    let id = uuid()
    let type = text("type", maximumBytes: 200)
    let span = span()
    let duration = number("duration_seconds", isRequired: false)
    let zone = timeZoneName()
    let metrics = figures()
    if let duration {
      if duration != duration.rounded() {
        note(.invalidValue, "duration_seconds", "must be a whole number")
      } else {
        check(duration, 0...Double(RecordBounds.maximumSpan), "duration_seconds")
      }
    }
    guard let id, let type, let span else { return nil }
    return WorkoutRecord(
      id: id, type: type, start: span.start, end: span.end,
      durationSeconds: duration.flatMap { Int(exactly: $0) }, timeZoneName: zone, metrics: metrics)
  }

  mutating func sleep() -> SleepRecord? {
    allow(["healthkit_uuid", "start_time", "end_time", "source", "qty", "value"])
    let id = uuid()
    let span = span()
    let source = optionalText("source", maximumBytes: 1000)
    let hours = number("qty", isRequired: false)
    if let hours { check(hours, RecordBounds.hours, "qty") }
    let name = isNull("value") ? nil : text("value", maximumBytes: 50)
    let value = name.flatMap { name in SleepValue.allCases.first { Self.same($0.name, name) } }
    if name != nil, value == nil {
      let names = SleepValue.allCases.map(\.name).joined(separator: ", ")
      note(.invalidValue, "value", "must be one of \(names)")
    }
    guard let id, let span, value != nil || isNull("value") else { return nil }
    return SleepRecord(
      id: id, start: span.start, end: span.end, source: source, hours: hours, value: value)
  }

  // MARK: - Members

  private mutating func allow(_ names: Set<String>) {
    for name in members.keys.sorted() where !names.contains(name) {
      note(.unknownMember, name, "the member is not known")
    }
  }

  /// The value of a member; null counts as absent.
  private func value(_ name: String) -> JSONValue? {
    members[name].flatMap { $0 == .null ? nil : $0 }
  }

  /// Whether a member is there and says that the column is null.
  private func isNull(_ name: String) -> Bool { members[name] == .null }

  private mutating func text(_ name: String, maximumBytes: Int) -> String? {
    guard value(name) != nil else {
      note(.missingMember, name, "the member is missing")
      return nil
    }
    guard let text = optionalText(name, maximumBytes: maximumBytes) else { return nil }
    if text.isEmpty {
      note(.invalidValue, name, "is empty")
      return nil
    }
    return text
  }

  private mutating func optionalText(_ name: String, maximumBytes: Int) -> String? {
    guard let value = value(name) else { return nil }
    guard case .string(let text) = value else {
      note(.wrongType, name, "must be a string")
      return nil
    }
    guard text.utf8.count <= maximumBytes else {
      note(.outOfBounds, name, "has more than \(maximumBytes) bytes")
      return nil
    }
    guard !text.utf8.contains(0) else {
      note(.invalidValue, name, "has a null character")
      return nil
    }
    return text
  }

  private mutating func number(_ name: String, isRequired: Bool) -> Double? {
    guard let value = value(name) else {
      if isRequired { note(.missingMember, name, "the member is missing") }
      return nil
    }
    guard case .number(let number) = value else {
      note(.wrongType, name, "must be a number")
      return nil
    }
    return number
  }

  private mutating func check(_ number: Double, _ range: ClosedRange<Double>, _ name: String) {
    guard !range.contains(number) else { return }
    note(
      .outOfBounds, name,
      "must be \(RecordReader.shown(range.lowerBound)) to \(RecordReader.shown(range.upperBound))")
  }

  private mutating func uuid() -> String? {
    guard let text = text("healthkit_uuid", maximumBytes: 300) else { return nil }
    let bytes = Array(text.utf8)
    let isUUID =
      bytes.count == 36
      && bytes.enumerated().allSatisfy { place, byte in
        [8, 13, 18, 23].contains(place)
          ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
      }
    guard isUUID else {
      note(.invalidValue, "healthkit_uuid", "must be a UUID")
      return nil
    }
    return text.lowercased()
  }

  private mutating func date() -> CalendarDate? {
    guard let text = text("date", maximumBytes: 40) else { return nil }
    guard let moment = PreciseMoment(text), moment.microseconds % 86_400_000_000 == 0,
      let date = CalendarDate(text.prefix(10))
    else {
      note(.invalidValue, "date", "must be a date at 00:00:00Z, such as 2026-01-15T00:00:00Z")
      return nil
    }
    guard bounds.dates.contains(date) else {
      note(
        .outOfBounds, "date", "must be \(bounds.dates.lowerBound) to \(bounds.dates.upperBound)")
      return nil
    }
    return date
  }

  private mutating func moment(_ name: String) -> PreciseMoment? {
    guard let text = text(name, maximumBytes: 40) else { return nil }
    guard let moment = PreciseMoment(text) else {
      note(.invalidValue, name, "must be a time in UTC, such as 2026-01-15T07:30:00Z")
      return nil
    }
    guard bounds.moments.contains(moment) else {
      note(
        .outOfBounds, name, "must be \(bounds.dates.lowerBound) to \(bounds.dates.upperBound)")
      return nil
    }
    return moment
  }

  private mutating func span() -> (start: PreciseMoment, end: PreciseMoment)? {
    let start = moment("start_time")
    let end = moment("end_time")
    guard let start, let end else { return nil }
    guard start <= end else {
      note(.invalidValue, "end_time", "is before start_time")
      return nil
    }
    guard end.microseconds - start.microseconds <= RecordBounds.maximumSpan * 1_000_000 else {
      note(.outOfBounds, "end_time", "is more than 31 days after start_time")
      return nil
    }
    return (start, end)
  }

  private mutating func timeZoneName() -> String? {
    guard let name = optionalText("timezone", maximumBytes: 64) else { return nil }
    let isName =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        let scalar = Unicode.Scalar(byte)
        return scalar.isASCII
          && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            || "_+-/".unicodeScalars.contains(scalar))
      }
    guard isName else {
      note(.invalidValue, "timezone", "must be an IANA name, such as America/New_York")
      return nil
    }
    return name
  }

  private mutating func figures() -> [String: Double] {
    guard let value = value("metrics") else { return [:] }
    guard case .object(let given) = value else {
      note(.wrongType, "metrics", "must be an object")
      return [:]
    }
    var numbers: [String: Double] = [:]
    for key in given.keys.sorted() {
      let name = "metrics/" + Self.escaped(key)
      guard let figure = Self.figures[key] else {
        faults.add(RequestFault(.unknownMember, "\(pointer)/\(name)", "the member is not known"))
        continue
      }
      switch given[key] {
      case .null, nil: break
      case .number(let number):
        let range = RecordBounds.values(of: figure)
        if !range.contains(number) {
          faults.add(
            RequestFault(
              .outOfBounds, "\(pointer)/\(name)",
              "must be \(Self.shown(range.lowerBound)) to \(Self.shown(range.upperBound))"))
        }
        numbers[key] = number
      default:
        faults.add(RequestFault(.wrongType, "\(pointer)/\(name)", "must be a number"))
      }
    }
    return numbers
  }

  private mutating func note(_ code: RequestFault.Code, _ name: String, _ message: String) {
    faults.add(RequestFault(code, "\(pointer)/\(Self.escaped(name))", message))
  }

  // MARK: - Words

  private static let figures = Dictionary(
    uniqueKeysWithValues: WorkoutFigure.allCases.map { ($0.recordKey, $0) })

  private static let metrics = Dictionary(
    uniqueKeysWithValues: MetricRecord.given.map { ($0.recordType, $0) })

  /// Byte for byte: `==` takes canonically equivalent texts for equal.
  private static func same(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }

  /// A name as a part of a JSON pointer.
  static func escaped(_ name: String) -> String {
    String(name.prefix(80)).replacing("~", with: "~0").replacing("/", with: "~1")
  }

  private static func shown(_ number: Double) -> String {
    Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}
