extension DocumentReader {
  /// The readings that can be understood; every breach leaves a violation (R9, R10).
  ///
  /// A required metric that the document leaves out has no reading: that hides nothing (R41). A
  /// value that contradicts its status, or a number without one, makes the document unreadable.
  mutating func readings(of members: [String: JSONValue]) -> [DailyMetric: MetricReading] {
    let values = object("metrics", of: members, rule: "R9")
    let statuses = object("metric_status", of: members, rule: "R10")
    let units = object("metric_units", of: members, rule: "R9", hides: false)
    var readings: [DailyMetric: MetricReading] = [:]
    for metric in DailyMetric.required {
      let key = metric.rawValue
      let saysOk = statuses?[key]?.stringValue == MetricStatus.ok.rawValue
      let hasNumber = values?[key]?.numberValue != nil
      if let units { checkUnit(of: metric, in: units) }
      let value = values.flatMap { self.value(of: metric, in: $0, isNeeded: saysOk) }
      let status = statuses.flatMap { self.status(of: metric, in: $0, isNeeded: hasNumber) }
      if let value, let status {
        readings[metric] = reading(of: metric, value, status)
      } else if let status, values?[key] == nil {
        readings[metric] = MetricReading(reason: status)
      }
    }
    addOptional(of: members, to: &readings)
    return readings
  }

  private mutating func checkUnit(of metric: DailyMetric, in units: [String: JSONValue]) {
    guard
      let unit = string(
        metric.rawValue, of: units, at: "/metric_units", rule: "R9", hides: false),
      unit != metric.unitLabel
    else { return }
    note(
      "R9", .unitMismatch, at: "/metric_units/\(metric.rawValue)",
      "\(unit.quoted) is not the unit of \(metric.rawValue), \(metric.unitLabel.quoted)")
  }

  /// A number or null; nil, with the reason noted, for anything else.
  ///
  /// - Parameter isNeeded: whether the metric can't be understood without it.
  private mutating func value(
    of metric: DailyMetric, in values: [String: JSONValue], isNeeded: Bool
  ) -> JSONValue? {
    let key = metric.rawValue
    guard let value = member(key, of: values, at: "/metrics", rule: "R9", hides: isNeeded) else {
      return nil
    }
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

  /// - Parameter isNeeded: whether the metric can't be understood without it.
  private mutating func status(
    of metric: DailyMetric, in statuses: [String: JSONValue], isNeeded: Bool
  ) -> MetricStatus? {
    let key = metric.rawValue
    let isThere = statuses[key] != nil
    guard
      let text = string(
        key, of: statuses, at: "/metric_status", rule: "R10", hides: isNeeded || isThere)
    else { return nil }
    if let status = MetricStatus(rawValue: text) { return status }
    note("R10", .unknownStatus, at: "/metric_status/\(key)", "\(text.quoted) is not a status")
    return nil
  }

  private mutating func reading(
    of metric: DailyMetric, _ value: JSONValue, _ status: MetricStatus
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

extension DocumentReader {
  /// Adds the optional metrics that are whole: a number of 0 or more, its unit and the status ok
  /// (R42).
  ///
  /// What is not whole hides nothing: it stays where it is as an unknown member (R14). A negative
  /// number and another unit are violations.
  private mutating func addOptional(
    of members: [String: JSONValue], to readings: inout [DailyMetric: MetricReading]
  ) {
    let units = members["metric_units"]?.objectValue ?? [:]
    let values = members["metrics"]?.objectValue ?? [:]
    guard max(units.count, values.count) > DailyMetric.required.count else { return }
    let statuses = members["metric_status"]?.objectValue ?? [:]
    for metric in DailyMetric.optional {
      let key = metric.rawValue
      let unit = units[key]
      if let unit, unit.stringValue != metric.unitLabel {
        note(
          "R42", .unitMismatch, at: "/metric_units/\(key)",
          "\(unit.stringValue?.quoted ?? unit.kind) is not the unit of \(key), "
            + "\(metric.unitLabel.quoted)")
      }
      guard let number = values[key]?.numberValue else { continue }
      if number < 0 {
        note("R42", .negativeValue, at: "/metrics/\(key)", "\(number) is below zero")
      }
      guard number >= 0, unit?.stringValue == metric.unitLabel,
        statuses[key]?.stringValue == MetricStatus.ok.rawValue
      else { continue }
      readings[metric] = .value(number)
    }
  }
}
