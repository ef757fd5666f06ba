extension DocumentReader {
  /// The readings that are sound; every other metric leaves a violation (R9, R10).
  mutating func readings(of members: [String: JSONValue]) -> [Metric: MetricReading] {
    let values = object("metrics", of: members, rule: "R9")
    let statuses = object("metric_status", of: members, rule: "R10")
    let units = object("metric_units", of: members, rule: "R9")
    var readings: [Metric: MetricReading] = [:]
    for metric in Metric.allCases {
      if let units { checkUnit(of: metric, in: units) }
      let value = values.flatMap { self.value(of: metric, in: $0) }
      let status = statuses.flatMap { self.status(of: metric, in: $0) }
      if let value, let status { readings[metric] = reading(of: metric, value, status) }
    }
    return readings
  }

  private mutating func checkUnit(of metric: Metric, in units: [String: JSONValue]) {
    guard let unit = string(metric.rawValue, of: units, at: "/metric_units", rule: "R9"),
      unit != metric.unit
    else { return }
    note(
      "R9", .unitMismatch, at: "/metric_units/\(metric.rawValue)",
      "\(unit.quoted) is not the unit of \(metric.rawValue), \(metric.unit.quoted)")
  }

  /// A number or null; nil, with the reason noted, for anything else.
  private mutating func value(
    of metric: Metric, in values: [String: JSONValue]
  ) -> JSONValue? {
    let key = metric.rawValue
    guard let value = member(key, of: values, at: "/metrics", rule: "R9") else { return nil }
    switch value {
    case .null: return value
    case .number(let number):
      if number < 0 {
        note("R9", .negativeValue, at: "/metrics/\(key)", "\(number) is below zero")
      }
      return value
    default:
      note("R9", .wrongType, at: "/metrics/\(key)", "a number or null expected, not \(value.kind)")
      return nil
    }
  }

  private mutating func status(
    of metric: Metric, in statuses: [String: JSONValue]
  ) -> MetricStatus? {
    let key = metric.rawValue
    guard let text = string(key, of: statuses, at: "/metric_status", rule: "R10") else {
      return nil
    }
    if let status = MetricStatus(rawValue: text) { return status }
    note("R10", .unknownStatus, at: "/metric_status/\(key)", "\(text.quoted) is not a status")
    return nil
  }

  private mutating func reading(
    of metric: Metric, _ value: JSONValue, _ status: MetricStatus
  ) -> MetricReading? {
    let pointer = "/metrics/\(metric.rawValue)"
    switch (value.numberValue, MetricReading(reason: status)) {
    case (let number?, nil): return .value(number)
    case (nil, let reason?): return reason
    case (.some, .some):
      note(
        "R10", .numberWithoutOk, at: pointer, "a number, although its status is \(status.rawValue)")
      return nil
    case (nil, nil):
      note("R10", .okWithoutNumber, at: pointer, "null, although its status is ok")
      return nil
    }
  }
}
