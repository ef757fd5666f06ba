internal import AppleExport
import HealthModel

/// One row of a quantity, in our metric's unit.
struct QuantityRow {
  /// Seconds since 1970.
  let start: Int
  /// 0 or more.
  var quantity: Double
  /// The other number of a pair, such as diastolic pressure; 0 where there is none.
  var second = 0.0
  /// Seconds from its start to its end; -1 where the row says only when it begins.
  private var length: Int32 = -1
  private let writtenDay: Int32
  private let sourceNumber: Int32
  private let captureNumber: Int32
  /// True where the time as written is 00:00:00, or where there is none.
  let isMidnight: Bool

  /// - Parameters:
  ///   - written: the date as written.
  ///   - quantity: 0 or more.
  ///   - source: which of the reader's sources.
  ///   - capture: which of several payloads the row stands in.
  init(
    start: Int, end: Int?, written: ExportedDate, quantity: Double, source: Int, capture: Int
  ) {
    (self.start, self.quantity) = (start, quantity)
    isMidnight = written.secondsOfDay == 0
    writtenDay = Int32(written.date.daysSince1970)
    (sourceNumber, captureNumber) = (Int32(clamping: source), Int32(clamping: capture))
    self.end = end
  }

  /// A row of which nobody asks how its date was written.
  init(start: Int, end: Int?, quantity: Double, source: Int, capture: Int) {
    (self.start, self.quantity, isMidnight, writtenDay) = (start, quantity, false, 0)
    (sourceNumber, captureNumber) = (Int32(clamping: source), Int32(clamping: capture))
    self.end = end
  }

  /// Seconds since 1970; nil where the row says only when it begins. Rows last a month at most.
  var end: Int? {
    get { length < 0 ? nil : start + Int(length) }
    set { length = newValue.map { Int32(clamping: $0 - start) } ?? -1 }
  }

  /// The date as written, in the phone's own offset.
  var writtenDate: CalendarDate? { CalendarDate(daysSince1970: Int(writtenDay)) }
  /// Which of the reader's sources.
  var source: Int { Int(sourceNumber) }
  /// Which of several payloads the row stands in, in the order in which they were captured.
  var capture: Int { Int(captureNumber) }

  /// The second that decides the day of an average: the middle.
  var middle: Int { start + ((end ?? start) - start) / 2 }

  private var extent: (Int, Int32) { (start, length) }

  private func hasExtent(of other: QuantityRow) -> Bool {
    extent == other.extent && source == other.source
  }

  private func hasNumbers(of other: QuantityRow) -> Bool {
    quantity == other.quantity && second == other.second
  }

  /// Sorted by source and time, each row once: sums over it don't depend on the rows' order.
  ///
  /// Equal rows of one source are one row captured twice. A row of a later payload replaces those
  /// of earlier ones for the same time: the app had an hour's sum before that hour was over.
  ///
  /// - Parameter areEntries: whether each row is something that a person entered. Then the rows that a
  ///   payload has of one time are as many entries, such as two glasses of water in a minute; in
  ///   several payloads they are the same again: of each as many as the payload has that has most.
  static func distinct(_ rows: [QuantityRow], areEntries: Bool) -> [QuantityRow] {
    var distinct: [QuantityRow] = []
    let sorted = rows.sorted { a, b in
      guard a.source == b.source else { return a.source < b.source }
      guard a.extent == b.extent else { return a.extent < b.extent }
      return (-a.capture, a.quantity, a.second) < (-b.capture, b.quantity, b.second)
    }
    var first = 0
    while first < sorted.count {
      var end = first + 1
      while end < sorted.count, sorted[end].hasExtent(of: sorted[first]) { end += 1 }
      if end == first + 1 {
        distinct.append(sorted[first])
      } else {
        append(sorted[first..<end], areEntries, to: &distinct)
      }
      first = end
    }
    return distinct
  }

  /// Appends those that count, of rows of one source and time that are sorted.
  private static func append(
    _ rows: ArraySlice<QuantityRow>, _ areEntries: Bool, to distinct: inout [QuantityRow]
  ) {
    var runs: [(row: QuantityRow, count: Int)] = []
    for row in rows {
      if let last = runs.last?.row, last.capture == row.capture, last.hasNumbers(of: row) {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((row, 1))
      }
    }
    let captures = Set(runs.map(\.row.capture))
    // An app that adds up hours has one row for each, and a later one replaces it.
    guard areEntries, captures.count < rows.count else {
      distinct += runs.lazy.map(\.row).prefix { $0.capture == runs[0].row.capture }
      return
    }
    var most: [(row: QuantityRow, count: Int)] = []
    for run in runs {
      if let known = most.firstIndex(where: { $0.row.hasNumbers(of: run.row) }) {
        most[known].count = max(most[known].count, run.count)
      } else {
        most.append(run)
      }
    }
    for (row, count) in most { distinct += repeatElement(row, count: count) }
  }
}

/// Where a row stands in a payload; spelt out only for an error.
struct RowPlace {
  let series: Int
  let row: Int

  func pointer(_ member: String = "") -> String {
    "/data/metrics/\(series)/data/\(row)" + (member.isEmpty ? "" : "/\(member)")
  }
}

/// A row of a metric that is not a whole day, in four words.
///
/// In order of kind and start; of these the order says nothing.
struct PackedRow: PackedWords {
  /// From the top: 7 bits of kind, 34 of start, 23 of seconds from start to end and one more, 0 where
  /// the row says only when it begins.
  private let head: UInt64
  /// From the top: 2 bits of part, 30 of source, 32 of capture.
  private var tail: UInt64
  private let first: UInt64
  private let second: UInt64

  /// Words of one row in a spool.
  static let wordCount = 4

  /// Dates of the years 1900 to 2199 in any zone.
  private static let earliest = QuantitySample.starts.lowerBound - 2 * 86_400

  init(_ row: QuantityRow, _ part: RowPart, of kind: SampleKind) {
    let length = row.end.map { $0 - row.start + 1 } ?? 0
    head =
      UInt64(kind.rawValue) << 57 | UInt64(row.start - Self.earliest) << 23 | UInt64(length)
    tail = UInt64(part.rawValue) << 62 | UInt64(row.source) << 32 | UInt64(row.capture)
    (first, second) = (row.quantity.bitPattern, row.second.bitPattern)
  }

  /// A sample of sleep.
  ///
  /// - Parameter value: as HealthKit numbers it; `unknownCategory` for one that is not known.
  init(sleep value: Double, _ range: Range<Int>, source: Int, capture: Int) {
    let row = QuantityRow(
      start: range.lowerBound, end: range.upperBound, quantity: value, source: source,
      capture: capture)
    self.init(row, .whole, of: .sleepAnalysis)
  }

  var kind: UInt8 { UInt8(head >> 57) }
  var start: Int { Int(head >> 23 & (1 << 34 - 1)) + Self.earliest }
  var part: RowPart { RowPart(rawValue: UInt8(tail >> 62)) ?? .whole }
  var source: Int { Int(tail >> 32 & (1 << 30 - 1)) }
  var capture: Int { Int(tail & UInt64(UInt32.max)) }
  /// Nil where the row says only when it begins.
  var end: Int? {
    let length = Int(head & (1 << 23 - 1))
    return length == 0 ? nil : start + length - 1
  }

  var row: QuantityRow {
    var row = QuantityRow(
      start: start, end: end, quantity: Double(bitPattern: first), source: source,
      capture: capture)
    row.second = Double(bitPattern: second)
    return row
  }

  /// The same row, of another source and payload.
  func numbered(source: Int, capture: Int) -> PackedRow {
    var row = self
    row.tail = (tail >> 62) << 62 | UInt64(source) << 32 | UInt64(capture)
    return row
  }

  /// What a sample of sleep says; nil for a value that is not known.
  var sleep: SleepSample? {
    let row = row
    return SleepValue(rawValue: Int(row.quantity)).map {
      SleepSample(value: $0, range: row.start..<(row.end ?? row.start), source: row.source)
    }
  }

  static func < (a: PackedRow, b: PackedRow) -> Bool {
    if a.head != b.head { return a.head < b.head }
    return (a.tail, a.first, a.second) < (b.tail, b.first, b.second)
  }

  init(words: ArraySlice<UInt64>) {
    let place = words.startIndex
    (head, tail) = (words[place], words[place + 1])
    (first, second) = (words[place + 2], words[place + 3])
  }

  func append(to words: inout [UInt64]) {
    words.append(head)
    words.append(tail)
    words.append(first)
    words.append(second)
  }
}

/// The rows of all payloads that are not whole days: in memory, and from some number on in a file.
struct KeptRows: Sendable {
  private var sorter: SampleSorter<PackedRow>
  /// Rows outside are not kept; nil to keep all.
  private let moments: Range<Int>?
  /// Why a row could not be kept: then no number is complete.
  private(set) var failure: ExportError?

  /// - Parameters:
  ///   - capacity: rows in memory, 32 bytes each.
  ///   - folder: of the temporary file; nil for the usual one.
  init(capacity: Int, moments: Range<Int>?, folder: String? = nil) {
    sorter = SampleSorter(file: UnlinkedFile(folder: folder), capacity: capacity)
    self.moments = moments
  }

  mutating func add(_ row: QuantityRow, _ part: RowPart, of kind: SampleKind) {
    guard isWanted(row.start, row.end ?? row.start) else { return }
    add(PackedRow(row, part, of: kind))
  }

  mutating func add(_ sample: SleepSample, capture: Int) {
    add(Double(sample.value.rawValue), sample.range, source: sample.source, capture)
  }

  /// Adds a sample of sleep whose value is not known.
  mutating func addUnknown(_ range: Range<Int>, source: Int, capture: Int) {
    add(SampleKind.unknownCategory, range, source: source, capture)
  }

  private mutating func add(
    _ value: Double, _ range: Range<Int>, source: Int, _ capture: Int
  ) {
    guard isWanted(range.lowerBound, range.upperBound) else { return }
    add(PackedRow(sleep: value, range, source: source, capture: capture))
  }

  private func isWanted(_ start: Int, _ end: Int) -> Bool {
    moments.map { start < $0.upperBound && end >= $0.lowerBound } ?? true
  }

  /// Takes those of others, all in memory, that lie in the moments.
  mutating func take(_ others: KeptRows, _ numbered: (PackedRow) -> PackedRow) {
    for row in others.sorter.inMemory where isWanted(row.start, row.end ?? row.start) {
      add(numbered(row))
    }
  }

  /// Gives back the memory of rows that did not come.
  mutating func trim() { sorter.trim() }

  /// About how many bytes of memory it takes.
  var cost: Int { sorter.inMemory.capacity * MemoryLayout<PackedRow>.stride }

  private mutating func add(_ row: PackedRow) {
    guard failure == nil else { return }
    // A row that says only when it begins ends later.
    do throws(ExportError) { try sorter.add(row) } catch { failure = error }
  }

  consuming func inOrder() -> RowStream { RowStream(sorter.sorted(), after: failure) }
}

/// Rows by kind, and of each kind in the order of their starts.
struct RowStream {
  private var rows: SortedSamples<PackedRow>
  private var head: PackedRow?
  private(set) var failure: ExportError?

  /// Seconds of rows that are taken at a time: years of them would not fit.
  private static let stretch = 86_400

  fileprivate init(_ rows: SortedSamples<PackedRow>, after failure: ExportError?) {
    (self.rows, self.failure) = (rows, failure)
    advance()
  }

  /// The next row of a kind; nil where there is no more.
  mutating func next(of kind: SampleKind) -> PackedRow? {
    guard let row = head, row.kind == kind.rawValue else { return nil }
    advance()
    return row
  }

  /// The rows of a kind that begin within a day of the next one; none where there is no more.
  mutating func stretch(of kind: SampleKind) -> [(part: RowPart, row: QuantityRow)] {
    guard let bound = head.map({ $0.start + Self.stretch }) else { return [] }
    var found: [(part: RowPart, row: QuantityRow)] = []
    while let start = head?.start, start < bound, let row = next(of: kind) {
      found.append((row.part, row.row))
    }
    return found
  }

  /// Passes over what is left of the kinds up to one.
  mutating func pass(_ kind: SampleKind) {
    while let row = head, row.kind <= kind.rawValue { advance() }
  }

  private mutating func advance() {
    do throws(ExportError) {
      head = failure == nil ? try rows.next() : nil
    } catch {
      (head, failure) = (nil, error)
    }
  }
}
