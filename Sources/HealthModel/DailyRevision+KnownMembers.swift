extension DailyRevision {
  /// The canonical bytes of a revision without unknown members, written without building the
  /// values first: importing years of days spends most of its time here otherwise.
  var knownMembersInOrder: [UInt8] {
    var json = CanonicalJSON()
    json.append(ascii: "{")
    if let capturedAt {
      json.append(ascii: "\"captured_at\":\"\(capturedAt)\",")
    }
    if let collector {
      json.append(
        ascii: "\"collector\":{\"collector_id\":\"\(collector.collectorID.uuidString)\",")
      json.append(ascii: "\"device_id\":\"\(collector.deviceID.uuidString)\"},")
    }
    json.append(ascii: "\"date\":\"\(date)\",\"day\":{\"end\":\"\(day.end)\",")
    json.append(ascii: "\"start\":\"\(day.start)\",\"timezone\":")
    json.append(day.timeZoneName)
    json.append(ascii: "},\"generated_at\":\"\(generatedAt)\",\"metric_status\":{")
    Self.perMetric(&json) { json, metric in
      json.append(ascii: "\"")
      json.append(ascii: (readings[metric] ?? .noData).status.rawValue)
      json.append(ascii: "\"")
    }
    json.append(ascii: Self.units)
    Self.perMetric(&json) { json, metric in
      json.append(readings[metric]?.number.map(JSONValue.number) ?? .null)
    }
    json.append(ascii: "},\"schema_version\":\"\(Self.schemaVersion)\"}")
    return json.bytes
  }

  /// The metrics in the order of their keys, each with its key as JSON.
  private static let metricsInOrder = Metric.allCases.sorted { $0.rawValue < $1.rawValue }
    .map { (metric: $0, key: "\"\($0.rawValue)\":") }

  /// From the end of `metric_status` to the beginning of `metrics`: the same in every revision.
  private static let units: String = {
    let units = metricsInOrder.map { "\($0.key)\"\($0.metric.unit)\"" }
    return "},\"metric_units\":{\(units.joined(separator: ","))},\"metrics\":{"
  }()

  private static func perMetric(
    _ json: inout CanonicalJSON, _ value: (inout CanonicalJSON, Metric) -> Void
  ) {
    for (index, (metric, key)) in metricsInOrder.enumerated() {
      if index > 0 { json.append(ascii: ",") }
      json.append(ascii: key)
      value(&json, metric)
    }
  }
}
