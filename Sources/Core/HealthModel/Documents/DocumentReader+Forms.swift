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
