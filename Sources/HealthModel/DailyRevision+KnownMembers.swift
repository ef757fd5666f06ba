import HealthSamples

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
      json.append(ascii: "\"collector\":{\"collector_id\":\"")
      json.append(collector.collectorID)
      json.append(ascii: "\",\"device_id\":\"")
      json.append(collector.deviceID)
      json.append(ascii: "\"},")
    }
    json.append(ascii: "\"date\":\"\(date)\",\"day\":{\"end\":\"\(day.end)\",")
    json.append(ascii: "\"start\":\"\(day.start)\",\"timezone\":")
    json.append(day.timeZoneName)
    json.append(ascii: "},\"generated_at\":\"\(generatedAt)\",\"metric_status\":{")
    let metrics = further.isEmpty ? Self.metricsOfV0 : metricsWithFurther
    append(metrics, to: &json) { json, metric in
      json.append(ascii: "\"")
      json.append(ascii: metric.status(in: self).rawValue)
      json.append(ascii: "\"")
    }
    if further.isEmpty {
      json.append(ascii: Self.units)
    } else {
      json.append(ascii: "},\"metric_units\":{")
      append(metrics, to: &json) { json, metric in json.append(metric.unit) }
      json.append(ascii: "},\"metrics\":{")
    }
    append(metrics, to: &json) { json, metric in
      json.append(ascii: metric.number(in: self).map(CanonicalJSON.text) ?? "null")
    }
    json.append(ascii: "},\"schema_version\":\"\(Self.schemaVersion)\"}")
    return json.bytes
  }

  /// A metric as the document names it.
  private struct NamedMetric {
    let daily: DailyMetric
    /// One of the eight; nil for a further one.
    let metric: Metric?
    /// With its colon.
    let key: String
    let unit: String

    init(_ daily: DailyMetric) {
      self.daily = daily
      metric = daily.v0Key.flatMap(Metric.init(rawValue:))
      (key, unit) = ("\"\(daily.rawValue)\":", daily.unitLabel)
    }

    func number(in revision: DailyRevision) -> Double? {
      metric.map { revision.readings[$0]?.number } ?? revision.further[daily]
    }

    func status(in revision: DailyRevision) -> MetricStatus {
      metric.map { revision.readings[$0]?.status ?? .noData } ?? .ok
    }
  }

  /// The catalogue in the order of the keys.
  private static let metricsInOrder =
    DailyMetric.allCases.sorted { $0.rawValue < $1.rawValue }.map { NamedMetric($0) }

  private static let metricsOfV0 = metricsInOrder.filter { $0.metric != nil }

  /// The eight and the further metrics of this day.
  private var metricsWithFurther: [NamedMetric] {
    Self.metricsInOrder.filter { $0.metric != nil || further[$0.daily] != nil }
  }

  /// From the end of `metric_status` to the beginning of `metrics`, where there are only the eight.
  private static let units: String = {
    let units = metricsOfV0.map { "\($0.key)\"\($0.unit)\"" }
    return "},\"metric_units\":{\(units.joined(separator: ","))},\"metrics\":{"
  }()

  private func append(
    _ metrics: [NamedMetric], to json: inout CanonicalJSON,
    _ value: (inout CanonicalJSON, NamedMetric) -> Void
  ) {
    for (index, metric) in metrics.enumerated() {
      if index > 0 { json.append(ascii: ",") }
      json.append(ascii: metric.key)
      value(&json, metric)
    }
  }
}
