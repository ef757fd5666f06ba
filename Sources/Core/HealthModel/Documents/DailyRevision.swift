import ContentDigests
public import Foundation

/// One day's document: what a collector publishes and a reader resolves (R7 to R14).
public struct DailyRevision: Hashable, Sendable {
  /// The date, its zone and its boundaries.
  public var day: ReportingDay
  /// The moment in the revision's id (R7); UTC, whole seconds.
  public var generatedAt: Timestamp
  /// The collector's own clock when the data was read, where it differs from `generatedAt` (R8).
  public var capturedAt: Timestamp?
  /// Who made it; nil where a document that was read does not say so in two UUIDs (R41).
  public var collector: Collector?
  /// A reading for every required metric, `noData` for one that is left out (R9); and for each
  /// optional one that the day has a number for, each in its unit (R42).
  ///
  /// An optional metric without a number is left out here, whatever is given.
  public var readings: [DailyMetric: MetricReading] {
    didSet { readings = readings.documented }
  }
  /// What the sources have said, of which the readings are the figures (R20); empty in a document that
  /// does not name them.
  package var words: DayWords
  /// Of what a document of an older version speaks, if it says so.
  var speaksOf: Set<DailyMetric>?
  /// The version of the rules that made figures of them (R20).
  package var foldVersion = Fold.version
  /// The newest revision that this one was joined with (R20); nil if the day had none.
  package var parent: RevisionID?
  /// How many of the day's ids its writer had seen, up to its parent; nil where that is not known. If there are
  /// more, some came from elsewhere or late, and nobody above has joined them.
  package var seen: Int?
  /// Members that this version does not know, kept as they were (R14).
  ///
  /// The document less all that is known: an unknown member of a known object stands under that
  /// object's key, `["metrics": {"mood": 7}]`.
  public var unknownMembers: [String: JSONValue]

  /// Most bytes of a stored revision (R13).
  public static let maximumBytes = 65_536

  /// What `schema_version` must say (R11).
  public static let schemaVersion = "health.v0"

  /// A revision; required metrics that `readings` leaves out become `noData`.
  public init(
    day: ReportingDay, generatedAt: Timestamp, capturedAt: Timestamp? = nil, collector: Collector?,
    readings: [DailyMetric: MetricReading], unknownMembers: [String: JSONValue] = [:]
  ) {
    self.init(
      day: day, generatedAt: generatedAt, capturedAt: capturedAt, collector: collector,
      readings: readings, words: DayWords(), parent: nil, unknownMembers: unknownMembers)
  }

  /// A revision with what its sources say.
  package init(
    day: ReportingDay, generatedAt: Timestamp, capturedAt: Timestamp?, collector: Collector?,
    readings: [DailyMetric: MetricReading], words: DayWords, parent: RevisionID?,
    unknownMembers: [String: JSONValue] = [:]
  ) {
    self.day = day
    self.generatedAt = generatedAt
    self.capturedAt = capturedAt
    self.collector = collector
    self.readings = readings.documented
    (self.words, self.parent) = (words, parent)
    self.unknownMembers = unknownMembers
  }

  /// The date of the day.
  public var date: CalendarDate { day.date }

  /// The reading of any metric of the catalogue: an optional one that the day lacks has no data.
  public func reading(of metric: DailyMetric) -> MetricReading { readings[metric] ?? .noData }

  /// Whether two revisions differ at most in who collected the data and when.
  package func differsOnlyInOrigin(from other: DailyRevision) -> Bool {
    anonymous == other.anonymous
  }

  /// The revision without who made it, and without the moments of its words.
  var anonymous: DailyRevision {
    var anonymous = self
    let nobody = Timestamp(secondsSince1970: 0)
    anonymous.generatedAt = nobody
    (anonymous.collector, anonymous.capturedAt, anonymous.seen) = (nil, nil, nil)
    anonymous.words = words.withoutMoments
    return anonymous
  }

  /// What reading a stored document gave.
  public struct Decoded: Sendable {
    /// The revision, if and only if the document is readable (R41).
    public let revision: DailyRevision?
    /// Every breach of a rule, not only the first; empty if and only if the document conforms.
    public let violations: [Violation]
    /// JSON pointers of members that this version does not know (R14); never violations.
    public let notes: [String]
    /// True if the bytes are the canonical form of a revision without unknown members, and break no
    /// rule. Boundaries count only if they were checked.
    package let isCanonical: Bool

    /// True where the document is not what was written, or may not be: it fails its digest (R60).
    package var isDamaged: Bool { violations.contains { $0.rule == "R60" } }
  }
}

/// Who made a revision: two UUIDs that stay the same for the life of an installation (R12).
public struct Collector: Hashable, Sendable {
  /// The collecting installation.
  public let collectorID: UUID
  /// The device it runs on.
  public let deviceID: UUID

  /// A collector with these two ids.
  public init(collectorID: UUID, deviceID: UUID) {
    (self.collectorID, self.deviceID) = (collectorID, deviceID)
  }
}

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

extension DailyRevision {
  /// The canonical bytes of a revision without unknown members, written without building the
  /// values first: importing years of days spends most of its time here otherwise.
  var knownMembersInOrder: [UInt8] {
    var json = CanonicalJSON()
    json.append(ascii: "{")
    if let capturedAt {
      json.append(ascii: "\"captured_at\":\"")
      capturedAt.append(to: &json.bytes)
      json.append(ascii: "\",")
    }
    if let collector {
      json.append(ascii: "\"collector\":{\"collector_id\":\"")
      json.append(collector.collectorID)
      json.append(ascii: "\",\"device_id\":\"")
      json.append(collector.deviceID)
      json.append(ascii: "\"},")
    }
    json.append(ascii: "\"date\":\"")
    date.append(joinedBy: "-", to: &json.bytes)
    json.append(ascii: "\",\"day\":{\"end\":\"")
    day.end.append(to: &json.bytes)
    json.append(ascii: "\",\"start\":\"")
    day.start.append(to: &json.bytes)
    json.append(ascii: "\",\"timezone\":")
    json.append(day.timeZoneName)
    json.append(ascii: "},")
    let place = json.bytes.count
    json.append(ascii: "\"generated_at\":\"")
    generatedAt.append(to: &json.bytes)
    json.append(ascii: "\",\"metric_status\":{")
    let hasOptional = readings.count > Self.required.count
    let metrics =
      hasOptional ? Self.metricsInOrder.filter { readings[$0.metric] != nil } : Self.required
    let found = metrics.map { reading(of: $0.metric) }
    append(metrics, to: &json) { json, place in
      json.append(ascii: "\"")
      json.append(ascii: found[place].status.rawValue)
      json.append(ascii: "\"")
    }
    if hasOptional {
      json.append(ascii: "},\"metric_units\":{")
      append(metrics, to: &json) { json, place in json.append(metrics[place].unit) }
      json.append(ascii: "},\"metrics\":{")
    } else {
      json.bytes += Self.units
    }
    append(metrics, to: &json) { json, place in
      guard let number = found[place].number else { return json.append(ascii: "null") }
      json.append(number)
    }
    json.append(ascii: "},")
    if let parent {
      json.append(ascii: "\"parent\":\"")
      json.append(ascii: parent.description)
      json.append(ascii: "\",")
    }
    json.append(ascii: "\"schema_version\":\"")
    json.append(ascii: Self.schemaVersion)
    json.append(ascii: "\"")
    if let sources = words.encoded(beside: self) {
      json.append(ascii: ",\"sources\":")
      json.append(sources)
    }
    json.append(ascii: "}")
    let digest = "\"\(DocumentDigest.name)\":\"\(DocumentDigest.text(of: json.bytes))\","
    json.bytes.insert(contentsOf: digest.utf8, at: place)
    return json.bytes
  }

  /// A metric as the document names it.
  private struct NamedMetric {
    let metric: DailyMetric
    /// With its quotes and its colon.
    let key: [UInt8]
    let unit: String

    init(_ metric: DailyMetric) {
      self.metric = metric
      (key, unit) = (Array("\"\(metric.rawValue)\":".utf8), metric.unitLabel)
    }
  }

  /// The catalogue in the order of the keys.
  private static let metricsInOrder =
    DailyMetric.allCases.sorted { $0.rawValue < $1.rawValue }.map { NamedMetric($0) }

  private static let required = metricsInOrder.filter(\.metric.isRequired)

  /// From the end of `metric_status` to the beginning of `metrics`, where a day has only the
  /// required metrics.
  private static let units: [UInt8] = {
    let units = required.map { "\"\($0.metric.rawValue)\":\"\($0.unit)\"" }
    return Array("},\"metric_units\":{\(units.joined(separator: ","))},\"metrics\":{".utf8)
  }()

  private func append(
    _ metrics: [NamedMetric], to json: inout CanonicalJSON,
    _ value: (inout CanonicalJSON, Int) -> Void
  ) {
    for place in metrics.indices {
      if place > 0 { json.bytes.append(UInt8(ascii: ",")) }
      json.bytes += metrics[place].key
      value(&json, place)
    }
  }
}

extension Collector {
  /// Who publishes the days that are derived from samples (R49): the same in every store and on every machine,
  /// so that readers can tell them from what a phone or an importer has published.
  package static let derivation = Collector(
    collectorID: UUID(
      uuid: (
        0x5E, 0x3A, 0x1D, 0x0C, 0x7B, 0x42, 0x4F, 0x6E, 0x9A, 0x51, 0xD4, 0x0E, 0x8C, 0x27, 0xB1,
        0x90
      )),
    deviceID: UUID(
      uuid: (
        0x5E, 0x3A, 0x1D, 0x0C, 0x7B, 0x42, 0x4F, 0x6E, 0x9A, 0x51, 0xD4, 0x0E, 0x8C, 0x27, 0xB1,
        0x91
      )))
}

extension DailyRevision {
  /// Whether a deriver published it (R49).
  package var isDerived: Bool {
    collector?.collectorID == Collector.derivation.collectorID
  }
}
