package import HealthModel

/// Takes what stands in a payload of Health Auto Export, in its order.
package protocol PayloadTaker {
  associatedtype Failure: Error

  /// The members of a metric, but for its rows, that are enough to take these; nil for all of them.
  static var namesNeeded: Set<String>? { get }

  /// The object `data` begins.
  mutating func beginData()
  /// The array of metrics begins.
  mutating func beginMetrics()
  /// A metric begins, and its rows follow. `names` are its members without them.
  mutating func open(_ names: [String: JSONValue]) throws(Failure)
  mutating func add(row: JSONValue) throws(Failure)
  mutating func endRows() throws(Failure)
  /// Another member, of `data` or beside it: an empty array, and then each element of it; or any other
  /// value. A metric without an array of rows is an element.
  mutating func add(
    _ value: JSONValue, _ key: String, isOfData: Bool, isElement: Bool
  ) throws(Failure)
}

extension PayloadTaker {
  /// Takes all of a payload whose text is walked over a row at a time.
  ///
  /// - Returns: false if it is not an object. Then nothing was taken.
  package mutating func take(_ walk: inout JSONWalk<Failure>) throws(Failure) -> Bool {
    walk.skipMark()
    guard try walk.enter("{") else { return false }
    try walk.members { (walk, key) throws(Failure) in
      guard key == "data", try walk.enter("{") else {
        return try member(key, isOfData: false, &walk)
      }
      beginData()
      try walk.members { (walk, key) throws(Failure) in
        guard key == "metrics", try walk.enter("[") else {
          return try member(key, isOfData: true, &walk)
        }
        beginMetrics()
        try walk.elements { (walk) throws(Failure) in try metric(&walk) }
      }
    }
    try walk.finish()
    return true
  }

  private mutating func member(
    _ key: String, isOfData: Bool, _ walk: inout JSONWalk<Failure>
  ) throws(Failure) {
    guard try walk.enter("[") else {
      return try add(try walk.value(), key, isOfData: isOfData, isElement: false)
    }
    try add(.array([]), key, isOfData: isOfData, isElement: false)
    try walk.elements { (walk) throws(Failure) in
      try add(try walk.value(), key, isOfData: isOfData, isElement: true)
    }
  }

  /// One metric. Its rows can stand before its names: then they are walked over, and taken when these are
  /// known.
  private mutating func metric(_ walk: inout JSONWalk<Failure>) throws(Failure) {
    guard try walk.enter("{") else {
      return try add(try walk.value(), "metrics", isOfData: true, isElement: true)
    }
    var (names, rows, isTaken): ([String: JSONValue], Int?, Bool) = ([:], nil, false)
    try walk.members { (walk, key) throws(Failure) in
      let place = walk.offset
      guard key == "data", try walk.enter("[") else {
        names[key] = try walk.value()
        return
      }
      isTaken = Self.namesNeeded?.isSubset(of: names.keys) ?? false
      if isTaken { return try takeRows(names, &walk) }
      rows = place
      try walk.elements { (walk) throws(Failure) in _ = try walk.value() }
    }
    guard !isTaken else { return }
    guard let rows else {
      return try add(.object(names), "metrics", isOfData: true, isElement: true)
    }
    let end = walk.offset
    try walk.seek(rows)
    if try walk.enter("[") { try takeRows(names, &walk) }
    try walk.seek(end)
  }

  private mutating func takeRows(
    _ names: [String: JSONValue], _ walk: inout JSONWalk<Failure>
  ) throws(Failure) {
    try open(names)
    try walk.elements { (walk) throws(Failure) in try add(row: try walk.value()) }
    try endRows()
  }
}
