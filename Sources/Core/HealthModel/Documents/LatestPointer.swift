/// The document `latest.json`: the newest revision of a day that its writer knew (R15, R16).
///
/// Its bytes are a pure function of the date and the id, so equal values are equal bytes.
public struct LatestPointer: Hashable, Sendable {
  /// The day's date.
  public let date: CalendarDate
  /// The revision it points to.
  public let revisionID: RevisionID

  /// Most bytes of a stored pointer (R16).
  public static let maximumBytes = 4096

  /// The pointer of `date` to `revisionID`.
  public init(date: CalendarDate, revisionID: RevisionID) {
    (self.date, self.revisionID) = (date, revisionID)
  }

  /// The canonical bytes that are stored.
  public var encoded: [UInt8] {
    // Nothing here needs an escape, and the keys stand in canonical order.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(192)
    bytes.append(contentsOf: "{\"date\":\"".utf8)
    date.append(joinedBy: "-", to: &bytes)
    bytes.append(contentsOf: "\",\"latest_generated_at\":\"".utf8)
    revisionID.timestamp.append(to: &bytes)
    bytes.append(contentsOf: "\",\"revision_id\":\"".utf8)
    bytes.append(contentsOf: revisionID.rawValue.utf8)
    bytes.append(contentsOf: "\",\"revision_relpath\":\"".utf8)
    bytes.append(contentsOf: Self.relativePath(of: revisionID).utf8)
    bytes.append(contentsOf: "\"}".utf8)
    return bytes
  }

  /// Where the revision lies, from the day's folder (R15).
  static func relativePath(of id: RevisionID) -> String { "revisions/\(id.rawValue).json" }

  /// What reading a stored pointer gave.
  public struct Decoded: Sendable {
    /// The pointer, if and only if `violations` is empty.
    public let pointer: LatestPointer?
    /// Every breach of a rule, not only the first.
    public let violations: [Violation]
    /// JSON pointers of members that this version does not know (R14); never violations.
    public let notes: [String]
  }

  /// Reads and validates a stored pointer; `date` is the one in its key (R5).
  ///
  /// It says nothing about whether the revision exists.
  public static func decode(_ bytes: [UInt8], date: CalendarDate? = nil) -> Decoded {
    var reader = DocumentReader()
    guard let members = reader.object(bytes, maximumBytes: maximumBytes) else {
      return Decoded(pointer: nil, violations: reader.violations, notes: [])
    }
    let written = reader.date("date", of: members)
    if let written, let date, written != date {
      reader.note(
        "R5", .dateDiffersFromKey, at: "/date", "\(written) is not the date of the key, \(date)")
    }
    let id = reader.revisionID("revision_id", of: members, rule: "R15")
    reader.checkMoment(of: members, against: id)
    reader.checkPath(of: members, against: id)
    let unknown = UnknownMembers(
      of: members,
      known: ["date": [], "latest_generated_at": [], "revision_id": [], "revision_relpath": []])
    guard reader.violations.isEmpty, let written, let id else {
      return Decoded(pointer: nil, violations: reader.violations, notes: unknown.pointers)
    }
    return Decoded(
      pointer: LatestPointer(date: written, revisionID: id), violations: [],
      notes: unknown.pointers)
  }
}

extension DocumentReader {
  fileprivate mutating func checkMoment(
    of members: [String: JSONValue], against id: RevisionID?
  ) {
    let moment = timestamp("latest_generated_at", of: members, rule: "R15")
    if let moment, let id, moment != id.timestamp {
      note(
        "R15", .generatedAtDiffersFromID, at: "/latest_generated_at",
        "\(moment) is not the moment of the revision id \(id)")
    }
  }

  fileprivate mutating func checkPath(of members: [String: JSONValue], against id: RevisionID?) {
    guard let path = string("revision_relpath", of: members, rule: "R15") else { return }
    let bytes = Array(path.utf8)
    let isForm =
      bytes.starts(with: "revisions/".utf8) && bytes.suffix(5).elementsEqual(".json".utf8)
      && bytes.count >= 15
      && RevisionID.hasForm(String(decoding: bytes[10..<(bytes.count - 5)], as: UTF8.self))
    if !isForm {
      note(
        "R15", .badRelativePath, at: "/revision_relpath",
        "\(path.quoted) is not of the form revisions/ID.json")
    } else if let id, path != LatestPointer.relativePath(of: id) {
      note(
        "R15", .pathDiffersFromID, at: "/revision_relpath",
        "\(path.quoted) is not the path of the revision id \(id)")
    }
  }
}

extension RevisionID {
  /// Whether a text is an id but for a date that the calendar may not have (R6).
  static func hasForm(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count > 8 else { return false }
    let parts = [bytes[0..<4], bytes[4..<6], bytes[6..<8]]
    let date = parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    return DocumentReader.hasFormOfDate(date.utf8)
      && RevisionID("20000101" + String(decoding: bytes[8...], as: UTF8.self)) != nil
  }
}
