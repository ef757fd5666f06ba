package import HealthModel

/// The JSON that pushes keep between runs. A member that has no value is absent; what another version
/// has written beyond these members is not kept.
extension PushMemory {
  /// What an earlier run kept.
  ///
  /// - Throws: `InvalidText` where the text is not JSON, or a member is missing or of another form.
  package init(parsing bytes: [UInt8]) throws(InvalidText) {
    guard let document = try? JSONValue(parsing: bytes, maximumDepth: 16) else {
      throw InvalidText.noMemory
    }
    self.init(
      records: try document.list("records") { (record) throws(InvalidText) in try PushRecord(record)
      },
      stores: try document.map("stores") { (kept) throws(InvalidText) in try Kept(kept) })
  }

  package var document: JSONValue {
    .object([
      "records": .array(records.map(\.document)),
      "stores": .object(stores.mapValues(\.document)),
    ])
  }
}

extension PushRecord {
  fileprivate init(_ document: JSONValue) throws(InvalidText) {
    gateway = try document.text("gateway")
    job = try document.text("job")
    instance = try document.text("instance")
    lastAttempt = try document.whole("lastAttempt")
    lastSuccess = try document.has("lastSuccess") ? document.whole("lastSuccess") : nil
    if document.has("lastFailure"), let failure = document["lastFailure"] {
      guard let kind = PushFailure.Kind(rawValue: try failure.text("kind")) else {
        throw InvalidText.noMemory
      }
      lastFailure = Failure(
        kind: kind, message: try failure.text("message"), at: try failure.whole("at"))
    }
    failures = try document.whole("failures")
    samples = try document.whole("samples")
    families = try document.texts("families")
  }

  fileprivate var document: JSONValue {
    var members: [String: JSONValue] = [
      "gateway": .string(gateway), "job": .string(job), "instance": .string(instance),
      "lastAttempt": .number(Double(lastAttempt)), "failures": .number(Double(failures)),
      "samples": .number(Double(samples)), "families": .texts(families),
    ]
    if let lastSuccess { members["lastSuccess"] = .number(Double(lastSuccess)) }
    if let lastFailure {
      members["lastFailure"] = .object([
        "kind": .string(lastFailure.kind.rawValue), "message": .string(lastFailure.message),
        "at": .number(Double(lastFailure.at)),
      ])
    }
    return .object(members)
  }
}

extension PushMemory.Kept {
  fileprivate init(_ document: JSONValue) throws(InvalidText) {
    self.init()
    guard let cache = document["cache"], cache.objectValue != nil else {
      throw InvalidText.noMemory
    }
    self.cache = try ValueCache(cache)
    if document.has("months") {
      months = try document.map("months") { (month) throws(InvalidText) in try PushedMonth(month) }
    }
    // An earlier release kept other things of a day's samples: they are read anew.
    if document["detail"]?["shares"] == nil {
      if document.has("detail"), let detail = document["detail"] {
        self.detail = try PushedDetail(detail)
      }
      if document.has("fingerprint") { fingerprint = try document.text("fingerprint") }
    }
    usedAt = try document.whole("usedAt")
  }

  fileprivate var document: JSONValue {
    var members: [String: JSONValue] = [
      "cache": cache.document, "months": .object(months.mapValues(\.document)),
      "usedAt": .number(Double(usedAt)),
    ]
    members["detail"] = detail?.document
    members["fingerprint"] = fingerprint.map(JSONValue.string)
    return .object(members)
  }
}

extension ValueCache {
  fileprivate init(_ document: JSONValue) throws(InvalidText) {
    self.init(
      origins: try document.has("origins")
        ? document.map("origins") { (origin) throws(InvalidText) in
          Origin(
            date: try origin.text("date"), source: try origin.text("source"),
            samplesOf: try origin.whole("samplesOf"))
        } : [:],
      ratesByDate: try document.has("ratesByDate")
        ? document.map("ratesByDate") { (day) throws(InvalidText) in
          HeartRates(
            generatedAt: try day.whole("generatedAt"),
            rates: try day.map("rates") { (rate) throws(InvalidText) in
              try PushedDetail.Newest(rate)
            })
        } : [:])
  }

  fileprivate var document: JSONValue {
    .object([
      "origins": .object(
        origins.mapValues { origin in
          .object([
            "date": .string(origin.date), "source": .string(origin.source),
            "samplesOf": .number(Double(origin.samplesOf)),
          ])
        }),
      "ratesByDate": .object(
        ratesByDate.mapValues { day in
          .object([
            "generatedAt": .number(Double(day.generatedAt)),
            "rates": .object(day.rates.mapValues(\.document)),
          ])
        }),
    ])
  }
}

extension PushedMonth {
  fileprivate init(_ document: JSONValue) throws(InvalidText) {
    self.init(
      fingerprint: try document.text("fingerprint"),
      days: try document.list("days") { (day) throws(InvalidText) in try PushedDay(day) })
  }

  fileprivate var document: JSONValue {
    .object([
      "fingerprint": .string(fingerprint), "days": .array(days.map(\.document)),
    ])
  }
}

extension PushedDay {
  fileprivate init(_ document: JSONValue) throws(InvalidText) {
    guard let date = CalendarDate(try document.text("date")) else { throw InvalidText.noMemory }
    var numbers: [DailyMetric: Double] = [:]
    let keyed = try document.map("numbers") { (number) throws(InvalidText) in
      try number.asNumber()
    }
    for (key, number) in keyed {
      guard let metric = DailyMetric(rawValue: key) else { throw InvalidText.noMemory }
      numbers[metric] = number
    }
    self.init(
      date: date, start: try document.whole("start"), end: try document.whole("end"),
      generatedAt: try document.whole("generatedAt"), numbers: numbers)
  }

  fileprivate var document: JSONValue {
    .object([
      "date": .string("\(date)"), "start": .number(Double(start)), "end": .number(Double(end)),
      "generatedAt": .number(Double(generatedAt)),
      "numbers": .object(
        Dictionary(uniqueKeysWithValues: numbers.map { ($0.key.rawValue, .number($0.value)) })),
    ])
  }
}

extension PushedDetail {
  fileprivate init(_ document: JSONValue) throws(InvalidText) {
    self.init(date: try document.text("date"))
    numbers = try document.map("numbers") { (number) throws(InvalidText) in
      try number.asNumber()
    }
    totals = try document.map("totals") { (parts) throws(InvalidText) in
      try parts.members { (part) throws(InvalidText) in try part.asNumber() }
    }
    latest = try document.map("latest") { (sample) throws(InvalidText) in
      try Newest(sample)
    }
    sources = try document.map("sources") { (names) throws(InvalidText) in
      try names.asTexts()
    }
    heartRates = try document.map("heartRates") { (rate) throws(InvalidText) in
      try Newest(rate)
    }
    workouts = try document.map("workouts") { (sums) throws(InvalidText) in
      try sums.members { (sum) throws(InvalidText) in
        Workouts(
          minutes: try sum.number("minutes"),
          calories: try sum.has("calories") ? sum.number("calories") : nil)
      }
    }
  }

  fileprivate var document: JSONValue {
    .object([
      "date": .string(date),
      "numbers": .object(numbers.mapValues(JSONValue.number)),
      "totals": .object(totals.mapValues { .object($0.mapValues(JSONValue.number)) }),
      "latest": .object(latest.mapValues(\.document)),
      "sources": .object(sources.mapValues(JSONValue.texts)),
      "heartRates": .object(heartRates.mapValues(\.document)),
      "workouts": .object(
        workouts.mapValues { sums in
          .object(
            sums.mapValues { sum in
              var members: [String: JSONValue] = ["minutes": .number(sum.minutes)]
              members["calories"] = sum.calories.map(JSONValue.number)
              return .object(members)
            })
        }),
    ])
  }
}

extension PushedDetail.Newest {
  fileprivate init(_ document: JSONValue) throws(InvalidText) {
    self.init(
      source: try document.text("source"), value: try document.number("value"),
      at: try document.whole("at"))
  }

  fileprivate var document: JSONValue {
    .object([
      "source": .string(source), "value": .number(value), "at": .number(Double(at)),
    ])
  }
}

/// Members of a known form.
extension JSONValue {
  fileprivate static func texts(_ texts: Set<String>) -> JSONValue {
    .array(texts.sorted().map(JSONValue.string))
  }

  fileprivate func has(_ key: String) -> Bool { self[key] != nil && self[key] != .null }

  fileprivate func text(_ key: String) throws(InvalidText) -> String {
    guard let text = self[key]?.stringValue else { throw InvalidText.noMemory }
    return text
  }

  fileprivate func number(_ key: String) throws(InvalidText) -> Double {
    guard let value = self[key] else { throw InvalidText.noMemory }
    return try value.asNumber()
  }

  fileprivate func whole(_ key: String) throws(InvalidText) -> Int {
    guard let whole = Int(exactly: try number(key)) else { throw InvalidText.noMemory }
    return whole
  }

  fileprivate func texts(_ key: String) throws(InvalidText) -> Set<String> {
    guard let value = self[key] else { throw InvalidText.noMemory }
    return try value.asTexts()
  }

  fileprivate func asNumber() throws(InvalidText) -> Double {
    guard let number = numberValue else { throw InvalidText.noMemory }
    return number
  }

  fileprivate func asTexts() throws(InvalidText) -> Set<String> {
    guard let elements = arrayValue else { throw InvalidText.noMemory }
    var texts: Set<String> = []
    for element in elements {
      guard let text = element.stringValue else { throw InvalidText.noMemory }
      texts.insert(text)
    }
    return texts
  }

  fileprivate func list<Element>(
    _ key: String, _ read: (JSONValue) throws(InvalidText) -> Element
  ) throws(InvalidText) -> [Element] {
    guard let elements = self[key]?.arrayValue else { throw InvalidText.noMemory }
    var list: [Element] = []
    for element in elements { list.append(try read(element)) }
    return list
  }

  fileprivate func map<Value>(
    _ key: String, _ read: (JSONValue) throws(InvalidText) -> Value
  ) throws(InvalidText) -> [String: Value] {
    guard let value = self[key] else { throw InvalidText.noMemory }
    return try value.members(read)
  }

  fileprivate func members<Value>(
    _ read: (JSONValue) throws(InvalidText) -> Value
  ) throws(InvalidText) -> [String: Value] {
    guard let members = objectValue else { throw InvalidText.noMemory }
    var values: [String: Value] = [:]
    for (key, member) in members { values[key] = try read(member) }
    return values
  }
}

extension InvalidText {
  fileprivate static let noMemory = InvalidText("it is not what an earlier push kept")
}
