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
