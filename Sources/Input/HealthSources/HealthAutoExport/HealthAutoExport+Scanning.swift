internal import HealthModel

/// Reads a payload a row at a time, so that a large one needs no more memory than what its rows say.
extension HealthAutoExport {
  /// Adds a payload that was captured after those added before, as `add(parts:)` does.
  ///
  /// - Parameter isPayload: whether a text is a payload, by its members; throws for an unknown form.
  /// - Throws: `SourceError` notJSON, or notRecognised for an input that is not a payload. The reader
  ///   must not be used after the first; after the second it is as it was.
  mutating func add(
    scanning bytes: PayloadBytes, isPayload: (JSONValue) throws(SourceError) -> Bool
  ) throws(SourceError) {
    var scanner = try PayloadScanner(bytes)
    var (members, data): ([String: JSONValue], [String: JSONValue]?) = ([:], nil)
    var counts: [String: Int] = [:]
    begin()
    guard try scanner.next() == UInt8(ascii: "{") else {
      _ = try isPayload(try scanner.value())
      return
    }
    try scanner.members { (scanner, key) throws(SourceError) in
      switch (key, try scanner.next()) {
      case ("data", UInt8(ascii: "{")):
        var own: [String: JSONValue] = [:]
        try scanner.members { (scanner, key) throws(SourceError) in
          let at = "/data/\(key)"
          (own[key], counts[key]) = try take(key, at: at, of: &scanner, isData: true)
        }
        data = own
        members[key] = .object(own)
      default: (members[key], _) = try take(key, at: "/\(key)", of: &scanner, isData: false)
      }
    }
    try scanner.end()
    guard try isPayload(.object(members)) else {
      let isMixed = data?["metrics"]?.arrayValue != nil
      throw SourceError(
        isMixed ? .invalid : .notRecognised, "the input is not a payload of Health Auto Export",
        remedy: .input(.publishAlone))
    }
    if data?["metrics"] ?? .null == .null { noteNoMetrics() }
    unused.add(data.map { .object($0) } ?? .null, counts)
    end()
  }

  /// Reads one member, and returns what it is: of an array one element, and how many there are.
  private mutating func take(
    _ key: String, at pointer: String, of scanner: inout PayloadScanner, isData: Bool
  ) throws(SourceError) -> (JSONValue, Int?) {
    guard try scanner.next() == UInt8(ascii: "[") else {
      let value = try scanner.value()
      if isData, key == "metrics", value != .null { noteNoArray() }
      return (value, nil)
    }
    var count = 0
    try scanner.elements { (scanner, index) throws(SourceError) in
      count += 1
      if isData, key == "metrics" {
        try takeSeries(index, of: &scanner)
      } else {
        let row = try scanner.value()
        if key == "workouts" { addWorkout(row, at: "\(pointer)/\(index)") }
      }
    }
    return (.array(Array(repeating: .null, count: min(count, 1))), count)
  }

  /// Reads one metric. Its rows can stand before its name and its unit: then they are passed, and read
  /// when these are known.
  private mutating func takeSeries(
    _ index: Int, of scanner: inout PayloadScanner
  ) throws(SourceError) {
    guard try scanner.next() == UInt8(ascii: "{") else {
      let element = try scanner.value()
      _ = series(element, index: index)
      return
    }
    var (members, rows): ([String: JSONValue], Int?) = ([:], nil)
    var isRead = false
    try scanner.members { (scanner, key) throws(SourceError) in
      guard key == "data", try scanner.next() == UInt8(ascii: "[") else {
        members[key] = try scanner.value()
        return
      }
      members[key] = .array([])
      if members["name"] != nil, members["units"] != nil {
        isRead = true
        try takeRows(of: .object(members), index, of: &scanner)
        return
      }
      rows = scanner.offset
      try scanner.elements { (scanner, _) throws(SourceError) in _ = try scanner.value() }
    }
    guard !isRead else { return }
    guard let rows else {
      _ = series(.object(members), index: index)
      noteUnused(.object(members), rows: 0)
      return
    }
    let end = scanner.offset
    try scanner.seek(rows)
    try takeRows(of: .object(members), index, of: &scanner)
    try scanner.seek(end)
  }

  /// Reads the rows of a metric, an array that is next.
  private mutating func takeRows(
    of element: JSONValue, _ index: Int, of scanner: inout PayloadScanner
  ) throws(SourceError) {
    let series = series(element, index: index)
    if let series { open(series) }
    var count = 0
    try scanner.elements { (scanner, _) throws(SourceError) in
      let row = try scanner.value()
      count += 1
      if series != nil { addRow(row) }
    }
    close()
    if series == nil { noteUnused(element, rows: count) }
  }
}
