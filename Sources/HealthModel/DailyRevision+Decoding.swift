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
      return Decoded(revision: nil, violations: reader.violations, notes: [])
    }
    reader.schemaVersion(of: members)
    let day = reader.day(of: members, keyDate: date, boundaries: boundaries)
    let generatedAt = reader.generatedAt(of: members, id: id)
    let capturedAt =
      members["captured_at"] == nil
      ? nil : reader.timestamp("captured_at", of: members, rule: "R8", hides: false)
    let collector = reader.collector(of: members)
    let readings = reader.readings(of: members)
    let further = reader.further(of: members)
    let unknown = UnknownMembers(of: members, known: further.keys)

    guard reader.isReadable, let day, let generatedAt else {
      return Decoded(revision: nil, violations: reader.violations, notes: unknown.pointers)
    }
    let revision = DailyRevision(
      day: day, generatedAt: generatedAt, capturedAt: capturedAt, collector: collector,
      readings: readings, further: further, unknownMembers: unknown.members)
    return Decoded(revision: revision, violations: reader.violations, notes: unknown.pointers)
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

  private mutating func uuid(
    _ key: String, of members: [String: JSONValue], at parent: String
  ) -> UUID? {
    guard let text = string(key, of: members, at: parent, rule: "R12", hides: false) else {
      return nil
    }
    if text.utf8.count == 36, let uuid = UUID(uuidString: text) { return uuid }
    note("R12", .badUUID, at: "\(parent)/\(key)", "\(text.quoted) is not a UUID")
    return nil
  }
}
