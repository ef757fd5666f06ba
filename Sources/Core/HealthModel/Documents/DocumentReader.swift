import ContentDigests

/// Reads a document's members one by one and gathers every violation on the way.
///
/// Each read that fails notes why and gives nil, and reading goes on: one look at a document shows
/// all that is wrong with it.
struct DocumentReader {
  /// All that was found so far, in the order of reading.
  private(set) var violations: [Violation] = []

  /// Whether all that was read so far can be understood (R41).
  var isReadable: Bool { !violations.contains(where: \.hidesDocument) }

  /// The whole text's object; nil, with the reason noted, where it is not an object (R13).
  mutating func object(_ bytes: [UInt8], maximumBytes: Int) -> [String: JSONValue]? {
    guard bytes.count <= maximumBytes else {
      note("R13", .tooLarge, at: "", "\(bytes.count) bytes; at most \(maximumBytes) are allowed")
      return nil
    }
    do throws(JSONError) {
      let value = try JSONValue(parsing: bytes, maximumDepth: 64)
      guard let members = value.objectValue else {
        note("R13", .wrongType, at: "", "the document must be an object, not \(value.kind)")
        return nil
      }
      return members
    } catch {
      // Bytes that are not UTF-8 are not JSON either, but the former is what went wrong.
      let isText = error.kind != .syntax || String(validating: bytes, as: UTF8.self) != nil
      note(
        "R13", isText ? ViolationCode(error.kind) : .notUTF8, at: "", error.description)
      return nil
    }
  }

  /// Adds a violation.
  ///
  /// - Parameter hides: whether a document with it is unreadable, where its code leaves that open.
  mutating func note(
    _ rule: String, _ code: ViolationCode, at pointer: String, _ message: String,
    hides: Bool = true
  ) {
    let hidesDocument =
      switch code.reading {
      case .hidden: true
      case .readable: false
      case .either: hides
      }
    violations.append(
      Violation(
        rule: rule, code: code.rawValue, pointer: pointer, message: message,
        hidesDocument: hidesDocument))
  }

  /// A member that must be there; nil, with the reason noted, if it is not.
  mutating func member(
    _ key: String, of members: [String: JSONValue], at parent: String, rule: String,
    hides: Bool = true
  ) -> JSONValue? {
    if let value = members[key] { return value }
    note(rule, .missingMember, at: "\(parent)/\(key)", "the member is missing", hides: hides)
    return nil
  }

  /// A member that must be an object.
  mutating func object(
    _ key: String, of members: [String: JSONValue], at parent: String = "", rule: String,
    hides: Bool = true
  ) -> [String: JSONValue]? {
    member(key, of: members, at: parent, rule: rule, hides: hides).flatMap {
      form("an object", of: $0, $0.objectValue, at: "\(parent)/\(key)", rule: rule, hides: hides)
    }
  }

  /// A member that must be a string.
  mutating func string(
    _ key: String, of members: [String: JSONValue], at parent: String = "", rule: String,
    hides: Bool = true
  ) -> String? {
    member(key, of: members, at: parent, rule: rule, hides: hides).flatMap {
      form("a string", of: $0, $0.stringValue, at: "\(parent)/\(key)", rule: rule, hides: hides)
    }
  }

  /// What was read of a value; nil, with the reason noted, where it has another form.
  private mutating func form<Form>(
    _ expected: String, of value: JSONValue, _ read: Form?, at pointer: String, rule: String,
    hides: Bool
  ) -> Form? {
    if read == nil {
      note(
        rule, .wrongType, at: pointer, "\(expected) expected, not \(value.kind)", hides: hides)
    }
    return read
  }
}

extension JSONValue {
  /// The kind of value, for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension ViolationCode {
  init(_ kind: JSONError.Kind) {
    switch kind {
    case .encoding: self = .notUTF8
    case .syntax: self = .notJSON
    case .duplicateKey: self = .duplicateKey
    case .depth: self = .tooDeep
    case .numberRange: self = .numberOutOfRange
    case .loneSurrogate: self = .loneSurrogate
    }
  }
}

extension DocumentReader {
  /// The date, the zone and the boundaries (R1, R3, R4, R5).
  mutating func day(
    of members: [String: JSONValue], keyDate: CalendarDate?,
    boundaries: DailyRevision.BoundaryCheck
  ) -> ReportingDay? {
    let date = date("date", of: members)
    if let date, let keyDate, date != keyDate {
      note("R5", .dateDiffersFromKey, at: "/date", "\(date) is not the date of the key, \(keyDate)")
    }
    guard let object = object("day", of: members, rule: "R3") else { return nil }
    let zone = timeZoneName("timezone", of: object, at: "/day")
    let start = localMoment("start", of: object, at: "/day")
    let end = localMoment("end", of: object, at: "/day")
    checkOrder(of: start, end, on: date)
    if let zone, boundaries == .database, let any = date ?? CalendarDate(daysSince1970: 0) {
      // Without the date it shows only whether there is such a zone.
      checkZone(zone, any, date == nil ? nil : start, date == nil ? nil : end)
    }
    guard let date, let zone, let start, let end else { return nil }
    return ReportingDay(date: date, timeZoneName: zone, start: start, end: end)
  }

  private mutating func checkOrder(
    of start: ReportingDay.LocalMoment?, _ end: ReportingDay.LocalMoment?, on date: CalendarDate?
  ) {
    guard let start else { return }
    if let end, end.timestamp <= start.timestamp {
      note("R3", .endNotAfterStart, at: "/day/end", "\(end) is not after the start, \(start)")
    }
    if let date, start.localDate != date {
      note("R3", .startNotOnDate, at: "/day/start", "\(start) is not on \(date)")
    }
  }

  private mutating func checkZone(
    _ zone: String, _ date: CalendarDate, _ start: ReportingDay.LocalMoment?,
    _ end: ReportingDay.LocalMoment?
  ) {
    do throws(ReportingDay.Failure) {
      let day = try ReportingDay(date: date, timeZoneName: zone)
      if let start, start != day.start {
        note(
          "R4", .startNotInZone, at: "/day/start",
          "\(start) is not when \(date) begins in \(zone): \(day.start)")
      }
      if let end, end != day.end {
        note(
          "R4", .endNotInZone, at: "/day/end",
          "\(end) is not when \(date) ends in \(zone): \(day.end)")
      }
    } catch {
      switch error {
      case .unknownTimeZone:
        note(
          "R4", .unknownTimeZone, at: "/day/timezone",
          "\(zone.quoted) is not in this machine's time zone database")
      case .noTimeZoneDatabase:
        note(
          "R4", .unknownTimeZone, at: "/day/timezone",
          "\(zone.quoted) can't be checked: this machine has no time zone database")
      case .skippedDate:
        note("R4", .skippedDate, at: "/date", "\(zone) skipped \(date), so the day did not exist")
      }
    }
  }
}

/// Texts with a form of their own: dates, timestamps, local moments, names of zones and UUIDs.
///
/// A text can fail in two ways that have two codes: its form, which the schemas say too, and a
/// date in it that the calendar does not have, which they cannot say. A moment of another form than
/// the rule's can still be understood (R41): then it is noted, and taken.
extension DocumentReader {
  /// A calendar date (R1).
  mutating func date(_ key: String, of members: [String: JSONValue]) -> CalendarDate? {
    guard let text = string(key, of: members, rule: "R1") else { return nil }
    if let date = CalendarDate(text) { return date }
    noteBadForm(
      text, "R1", .badDate, at: "/\(key)", isForm: Self.hasFormOfDate(text.utf8),
      expected: "YYYY-MM-DD")
    return nil
  }

  /// A revision id (R6).
  mutating func revisionID(
    _ key: String, of members: [String: JSONValue], rule: String, hides: Bool = true
  ) -> RevisionID? {
    guard let text = string(key, of: members, rule: rule, hides: hides) else { return nil }
    if let id = RevisionID(text) { return id }
    if RevisionID.hasForm(text) {
      note(
        "R6", .noSuchDate, at: "/\(key)", "\(text.quoted): the calendar has no such date",
        hides: hides)
    } else {
      note(
        "R6", .badRevisionID, at: "/\(key)", "\(text.quoted) is not a revision id", hides: hides)
    }
    return nil
  }

  /// A UTC timestamp (R2).
  mutating func timestamp(
    _ key: String, of members: [String: JSONValue], rule: String, hides: Bool = true
  ) -> Timestamp? {
    guard let text = string(key, of: members, rule: rule, hides: hides) else { return nil }
    if let timestamp = Timestamp(text) { return timestamp }
    let understood = ReportingDay.LocalMoment(lenient: text)
    noteBadForm(
      text, rule, .badTimestamp, at: "/\(key)",
      isForm: Self.withLeapYear(text).flatMap { Timestamp($0) } != nil,
      expected: "YYYY-MM-DDTHH:MM:SSZ in UTC", hides: hides && understood == nil)
    return understood?.timestamp
  }

  /// A moment with an offset (R3).
  mutating func localMoment(
    _ key: String, of members: [String: JSONValue], at parent: String
  ) -> ReportingDay.LocalMoment? {
    guard let text = string(key, of: members, at: parent, rule: "R3") else { return nil }
    if let moment = ReportingDay.LocalMoment(text) { return moment }
    let understood = ReportingDay.LocalMoment(lenient: text)
    noteBadForm(
      text, "R3", .badLocalMoment, at: "\(parent)/\(key)",
      isForm: Self.withLeapYear(text).flatMap { ReportingDay.LocalMoment($0) } != nil,
      expected: "YYYY-MM-DDTHH:MM:SS+HH:MM", hides: understood == nil)
    return understood
  }

  /// A text that could be the name of a zone, whether or not this machine's database has it (R3).
  ///
  /// Readers pass it on, so it must be short and can't hold a sentence.
  mutating func timeZoneName(
    _ key: String, of members: [String: JSONValue], at parent: String
  ) -> String? {
    guard let text = string(key, of: members, at: parent, rule: "R3") else { return nil }
    if TimeZoneDatabase.hasFormOfName(text) { return text }
    note(
      "R3", .badTimeZone, at: "\(parent)/\(key)",
      "\(text.quoted) does not have the form of a time zone's name, such as Europe/Berlin")
    return nil
  }

  private mutating func noteBadForm(
    _ text: String, _ rule: String, _ code: ViolationCode, at pointer: String, isForm: Bool,
    expected: String, hides: Bool = true
  ) {
    if isForm {
      note(
        rule, .noSuchDate, at: pointer, "\(text.quoted): the calendar has no such date",
        hides: hides)
    } else {
      note(rule, code, at: pointer, "\(text.quoted) is not of the form \(expected)", hides: hides)
    }
  }

  /// `YYYY-MM-DD` with a month of 01 to 12 and a day of 01 to 31, whether or not it exists.
  static func hasFormOfDate(_ text: some Collection<UInt8>) -> Bool {
    let bytes = Array(text)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      Digits.value(bytes[0..<4]) != nil, let month = Digits.value(bytes[5..<7]),
      let day = Digits.value(bytes[8..<10])
    else { return false }
    return (1...12).contains(month) && (1...31).contains(day)
  }

  /// The text with its date, if it has the form of one, made one that exists.
  private static func withLeapYear(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 10, hasFormOfDate(bytes[0..<10]) else { return nil }
    return "2000-01-01" + String(decoding: bytes[10...], as: UTF8.self)
  }
}

/// The digest that a revision holds of itself (R60): SHA-256 over the canonical bytes of all its
/// other members. Any reader with a JSON library can compute it, and damage in any value shows.
package enum DocumentDigest {
  /// The member's name.
  static let name = "digest"

  /// The digest of a document, as the member has it, whatever digest the document itself gives.
  package static func text(of members: [String: JSONValue]) -> String {
    var others = members
    others[name] = nil
    return text(of: JSONValue.object(others).canonicalBytes)
  }

  /// The digest of canonical bytes that lack the member.
  static func text(of bytes: [UInt8]) -> String { prefix + ContentDigest.hex(of: bytes) }

  /// Whether a text has the form of a digest, right or wrong.
  static func isForm(_ text: String) -> Bool {
    text.hasPrefix(prefix) && text.utf8.count == prefix.utf8.count + 64
      && text.utf8.dropFirst(prefix.utf8.count).allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  private static let prefix = "sha256:"
}

extension DocumentReader {
  /// Holds the document against its own digest, if it has one (R60). That hides nothing: which
  /// value has changed is not known, and most are right (R41).
  mutating func digest(of members: [String: JSONValue]) {
    guard members[DocumentDigest.name] != nil,
      let text = string(DocumentDigest.name, of: members, rule: "R60", hides: false)
    else { return }
    let pointer = "/\(DocumentDigest.name)"
    guard DocumentDigest.isForm(text) else {
      return note(
        "R60", .badDigest, at: pointer,
        "\(text.quoted) is not of the form sha256: and 64 lower-case hex digits")
    }
    guard DocumentDigest.text(of: members) != text else { return }
    note(
      "R60", .digestDiffers, at: pointer,
      "the document is damaged, or was changed after it was written: its digest does not match")
  }
}
