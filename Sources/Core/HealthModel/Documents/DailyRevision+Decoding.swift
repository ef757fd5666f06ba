import Foundation

extension DailyRevision {
  /// Reads a stored document as far as it can be understood (R41), and reports all that is wrong
  /// with it, not only the first.
  ///
  /// ```swift
  /// func steps(in bytes: [UInt8]) -> MetricReading? {
  ///   let decoded = DailyRevision.decode(bytes)
  ///   for violation in decoded.violations { print(violation.rule, violation.message) }
  ///   return decoded.revision?.readings[.steps]
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - bytes: the object's whole body.
  ///   - date: the date in the object's key, if it is to agree (R5).
  ///   - id: the id in the object's key, if it is to agree with `generated_at` (R7).
  ///   - boundaries: whether the day's zone and boundaries are held against the time zone database
  ///     (R4).
  public static func decode(
    _ bytes: [UInt8], date: CalendarDate? = nil, id: RevisionID? = nil,
    boundaries: BoundaryCheck = .database
  ) -> Decoded {
    var reader = DocumentReader()
    guard let members = reader.object(bytes, maximumBytes: maximumBytes) else {
      return Decoded(
        revision: nil, violations: reader.violations, notes: [], isCanonical: false)
    }
    reader.schemaVersion(of: members)
    let day = reader.day(of: members, keyDate: date, boundaries: boundaries)
    let generatedAt = reader.generatedAt(of: members, id: id)
    let capturedAt =
      members["captured_at"] == nil
      ? nil : reader.timestamp("captured_at", of: members, rule: "R8", hides: false)
    let collector = reader.collector(of: members)
    let readings = reader.readings(of: members)
    let parent = reader.parent(of: members, id: id)
    let unknown = UnknownMembers(of: members, optional: readings.keys.filter { !$0.isRequired })

    var revision: DailyRevision?
    if reader.isReadable, let day, let generatedAt {
      revision = DailyRevision(
        day: day, generatedAt: generatedAt, capturedAt: capturedAt, collector: collector,
        readings: readings, words: DayWords(), parent: parent, unknownMembers: unknown.members)
      revision?.takeWords(of: members, into: &reader)
    }
    // `encoded` has the right digest, so bytes that equal it have the right digest, too.
    let isCanonical =
      reader.violations.isEmpty && unknown.members.isEmpty && revision?.encoded == bytes
    if !isCanonical { reader.digest(of: members) }
    return Decoded(
      revision: revision, violations: reader.violations, notes: unknown.pointers,
      isCanonical: isCanonical)
  }

  /// How a reader treats the zone and the boundaries that a document gives (R4).
  public enum BoundaryCheck: Sendable {
    /// They must be what this machine's time zone database says.
    case database
    /// Taken as written, as long as they agree with one another: a reader whose database is older
    /// than the collector's must not hide the document.
    case asWritten
  }
}

extension DocumentReader {
  fileprivate mutating func schemaVersion(of members: [String: JSONValue]) {
    guard let version = string("schema_version", of: members, rule: "R11"),
      version != DailyRevision.schemaVersion
    else { return }
    note(
      "R11", .unknownSchemaVersion, at: "/schema_version",
      "\(version.quoted) is not \(DailyRevision.schemaVersion.quoted)")
  }

  fileprivate mutating func generatedAt(
    of members: [String: JSONValue], id: RevisionID?
  ) -> Timestamp? {
    let generatedAt = timestamp("generated_at", of: members, rule: "R7")
    if let generatedAt, let id, generatedAt != id.timestamp {
      note(
        "R7", .generatedAtDiffersFromID, at: "/generated_at",
        "\(generatedAt) is not the moment of the revision id \(id)")
    }
    return generatedAt
  }

  fileprivate mutating func collector(of members: [String: JSONValue]) -> Collector? {
    guard let object = object("collector", of: members, rule: "R12", hides: false) else {
      return nil
    }
    let collectorID = uuid("collector_id", of: object, at: "/collector")
    let deviceID = uuid("device_id", of: object, at: "/collector")
    guard let collectorID, let deviceID else { return nil }
    return Collector(collectorID: collectorID, deviceID: deviceID)
  }

  /// The newest revision that this one was joined with; nil if none is named.
  fileprivate mutating func parent(
    of members: [String: JSONValue], id: RevisionID?
  ) -> RevisionID? {
    let key = members["sources"] == nil ? "kept_from" : "parent"
    guard members[key] != nil,
      let parent = revisionID(key, of: members, rule: "R20", hides: false)
    else { return nil }
    if let id, parent >= id {
      note("R20", .parentNotBelow, at: "/\(key)", "\(parent) is not below \(id)", hides: false)
      return nil
    }
    return parent
  }

  /// 8-4-4-4-12 hexadecimal digits: Foundation also takes other places of the hyphens.
  private static func hasFormOfUUID(_ text: String) -> Bool {
    text.utf8.count == 36
      && text.utf8.enumerated().allSatisfy { place, byte in
        switch (place, byte) {
        case (8, _), (13, _), (18, _), (23, _): byte == UInt8(ascii: "-")
        case (_, UInt8(ascii: "0")...UInt8(ascii: "9")), (_, UInt8(ascii: "A")...UInt8(ascii: "F")),
          (_, UInt8(ascii: "a")...UInt8(ascii: "f")):
          true
        default: false
        }
      }
  }

  private mutating func uuid(
    _ key: String, of members: [String: JSONValue], at parent: String
  ) -> UUID? {
    guard let text = string(key, of: members, at: parent, rule: "R12", hides: false) else {
      return nil
    }
    if Self.hasFormOfUUID(text), let uuid = UUID(uuidString: text) { return uuid }
    note("R12", .badUUID, at: "\(parent)/\(key)", "\(text.quoted) is not a UUID")
    return nil
  }
}

/// What a document holds beyond the members of this version (R14).
struct UnknownMembers {
  /// The document less all that is known; a leftover of a known object stands under its key.
  private(set) var members: [String: JSONValue] = [:]
  /// JSON pointers of the same, sorted.
  private(set) var pointers: [String] = []

  /// The leftovers of a daily revision in which some optional metrics could be read (R42).
  init(of document: [String: JSONValue], optional: some Collection<DailyMetric>) {
    self.init(
      of: document, known: Self.revisionMembers, optional: Set(optional.lazy.map(\.rawValue)))
  }

  /// The leftovers of a document whose members and their members are `known`.
  ///
  /// - Parameter optional: keys that are known as well in each object with a key for each metric,
  ///   and that each of these objects has.
  init(
    of document: [String: JSONValue], known: [String: Set<String>], optional: Set<String> = []
  ) {
    for (key, value) in document {
      guard let inner = known[key] else {
        members[key] = value
        pointers.append("/" + key.pointerToken)
        continue
      }
      guard !inner.isEmpty, let object = value.objectValue else { continue }
      let isByMetric = !optional.isEmpty && Self.objectsByMetric.contains(key)
      let known = inner.count { object[$0] != nil } + (isByMetric ? optional.count : 0)
      guard object.count > known else { continue }
      let rest = object.filter {
        !inner.contains($0.key) && !(isByMetric && optional.contains($0.key))
      }
      guard !rest.isEmpty else { continue }
      members[key] = .object(rest)
      pointers += rest.keys.map { "/\(key)/" + $0.pointerToken }
    }
    pointers.sort()
  }

  private static let objectsByMetric = ["metrics", "metric_status", "metric_units"]

  private static let revisionMembers: [String: Set<String>] = {
    let metrics = Set(DailyMetric.required.map(\.rawValue))
    return [
      "schema_version": [], "date": [], "day": ["timezone", "start", "end"], "generated_at": [],
      "captured_at": [], "sources": [], "parent": [], "covers": [], "kept_from": [],
      DocumentDigest.name: [],
      "collector": ["collector_id", "device_id"],
      "metrics": metrics,
      "metric_status": metrics, "metric_units": metrics,
    ]
  }()
}

extension String {
  /// A key as a JSON pointer spells it (RFC 6901).
  package var pointerToken: String {
    guard contains(where: { $0 == "~" || $0 == "/" }) else { return self }
    return map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
  }
}
