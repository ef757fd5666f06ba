import ContentDigests

extension DailyRevision {
  /// The canonical bytes that are stored (RFC 8785), with their digest (R60): equal revisions are
  /// equal bytes.
  ///
  /// What a caller can build and R9, R10 or R13 forbid, such as a negative number, is written all
  /// the same: `violations` reports it.
  public var encoded: [UInt8] {
    if unknownMembers.isEmpty { return knownMembersInOrder }
    var members = members(withOrigin: true)
    members[DocumentDigest.name] = .string(DocumentDigest.text(of: members))
    return JSONValue.object(members).canonicalBytes
  }

  /// What stays the same when the same data is published again, by whomever (R20): all but
  /// `generated_at`, `captured_at`, `collector`, `sources`, `parent` and `digest`; canonical bytes.
  public var payload: [UInt8] {
    JSONValue.object(members(withOrigin: false)).canonicalBytes
  }

  /// The suffix of an id, computed from the revision (R21). It is the same for all who store the same
  /// data, whoever collected it and when.
  package var idSuffix: UInt32 {
    var digest = ContentDigest()
    digest.update(anonymous.encoded)
    return digest.finish().prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// What a reader would find wrong with this revision; empty if it may be stored.
  public var violations: [Violation] {
    isPlainlySound ? [] : Self.decode(encoded).violations
  }

  /// True where the only members that a caller's values could spoil are seen to be sound: numbers,
  /// and boundaries. Spares most revisions the way through their own bytes.
  private var isPlainlySound: Bool {
    unknownMembers.isEmpty && collector != nil
      && readings.values.allSatisfy { reading in
        reading.number.map { $0.isFinite && $0 >= 0 } ?? true
      }
      && hasBoundariesOfDatabase
  }

  /// True if its zone and boundaries are what this machine's time zone database says (R4).
  package var hasBoundariesOfDatabase: Bool {
    (try? ReportingDay(date: date, timeZoneName: day.timeZoneName)) == day
  }

  /// - Parameter withOrigin: whether the members are there that say who collected the data and when.
  private func members(withOrigin: Bool) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "schema_version": .string(Self.schemaVersion),
      "date": .string(date.description),
      "day": .object([
        "timezone": .string(day.timeZoneName),
        "start": .string(day.start.description),
        "end": .string(day.end.description),
      ]),
      "metrics": perMetric { reading, _ in reading.number.map(JSONValue.number) ?? .null },
      "metric_status": perMetric { reading, _ in .string(reading.status.rawValue) },
      "metric_units": perMetric { _, metric in .string(metric.unitLabel) },
    ]
    if withOrigin {
      members["collector"] = collector.map {
        .object([
          "collector_id": .string($0.collectorID.uuidString),
          "device_id": .string($0.deviceID.uuidString),
        ])
      }
      members["sources"] = words.encoded(beside: self)
      members["parent"] = parent.map { .string($0.description) }
      members["generated_at"] = .string(generatedAt.description)
      members["captured_at"] = capturedAt.map { .string($0.description) }
    }
    return members.merging(unknownMembers.filter { $0.key != DocumentDigest.name }) {
      known, unknown in
      guard case (.object(let known), .object(let unknown)) = (known, unknown) else { return known }
      return .object(known.merging(unknown) { known, _ in known })
    }
  }

  private func perMetric(_ value: (MetricReading, DailyMetric) -> JSONValue) -> JSONValue {
    var members: [String: JSONValue] = [:]
    for (metric, reading) in readings { members[metric.rawValue] = value(reading, metric) }
    return .object(members)
  }
}
