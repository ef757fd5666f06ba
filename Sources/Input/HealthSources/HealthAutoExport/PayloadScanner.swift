import HealthModel
import HealthStreams

/// Where the bytes of a payload come from: a file of any size, read a part at a time.
package struct PayloadBytes {
  /// At most so many bytes from an offset on; none at the end.
  package let read: (_ offset: Int, _ most: Int) throws(SourceError) -> [UInt8]

  package init(read: @escaping (_ offset: Int, _ most: Int) throws(SourceError) -> [UInt8]) {
    self.read = read
  }

  /// Walks over the text a value at a time.
  fileprivate func walk() throws(SourceError) -> JSONWalk<SourceError> {
    try JSONWalk(reading: read, maximumDepth: 64) { error in
      SourceError(
        .notJSON, "the input is not valid JSON: \(error)",
        remedy: "correct the file there, or export it again if it was cut off")
    }
  }
}

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
    var walk = try bytes.walk()
    begin()
    scanned = ScannedMembers()
    guard try take(&walk) else {
      _ = try isPayload(try walk.value())
      return
    }
    guard try isPayload(scanned.value) else {
      throw SourceError(
        scanned.data["metrics"]?.arrayValue == nil ? .notRecognised : .invalid,
        "the input is not a payload of Health Auto Export", remedy: .input(.publishAlone))
    }
    if scanned.data["metrics"] ?? .null == .null { noteNoMetrics() }
    unused.add(.object(scanned.data), scanned.counts)
    end()
  }
}

/// What shows which form of JSON a text is. Of an array, one element stands for all.
struct ScannedMembers {
  fileprivate var root: [String: JSONValue] = [:]
  fileprivate var data: [String: JSONValue] = [:]
  fileprivate var hasData = false
  /// How many elements the arrays of `data` have.
  fileprivate var counts: [String: Int] = [:]
  /// How many elements the array has so far that was begun last.
  fileprivate var elements = 0
  /// The metric whose rows are read, how many it has, and its index.
  fileprivate var (metric, rows, index) = (JSONValue.null, 0, 0)

  fileprivate var value: JSONValue {
    .object(hasData ? root.merging(["data": .object(data)]) { $1 } : root)
  }

  fileprivate mutating func set(_ key: String, _ value: JSONValue, isOfData: Bool) {
    if isOfData { data[key] = value } else { root[key] = value }
  }
}

extension HealthAutoExport: PayloadTaker {
  typealias Failure = SourceError

  static var namesNeeded: Set<String>? { ["name", "units"] }

  mutating func beginData() { scanned.hasData = true }

  mutating func beginMetrics() { scanned.data["metrics"] = .array([]) }

  mutating func open(_ names: [String: JSONValue]) {
    scanned.metric = .object(names.merging(["data": .array([])]) { $1 })
    scanned.rows = 0
    if let series = series(scanned.metric, index: scanned.index) { open(series) }
    scanned.index += 1
  }

  mutating func add(row: JSONValue) {
    scanned.rows += 1
    addRow(row)
  }

  mutating func endRows() {
    if open == nil { noteUnused(scanned.metric, rows: scanned.rows) }
    close()
  }

  mutating func add(_ value: JSONValue, _ key: String, isOfData: Bool, isElement: Bool) {
    let isMetrics = isOfData && key == "metrics"
    guard isElement else {
      if isMetrics, value != .null { noteNoArray() }
      scanned.elements = 0
      return scanned.set(key, value, isOfData: isOfData)
    }
    guard !isMetrics else {
      _ = series(value, index: scanned.index)
      noteUnused(value, rows: 0)
      scanned.index += 1
      return
    }
    if key == "workouts" {
      addWorkout(value, at: "\(isOfData ? "/data" : "")/\(key)/\(scanned.elements)")
    }
    scanned.elements += 1
    scanned.set(key, .array([.null]), isOfData: isOfData)
    if isOfData { scanned.counts[key] = scanned.elements }
  }
}
