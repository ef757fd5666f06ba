internal import AppleExport
import HealthModel

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
  init(_ sample: SleepSample) {
    let row = QuantityRow(
      start: sample.range.lowerBound, end: sample.range.upperBound,
      quantity: Double(sample.value.rawValue), source: sample.source, capture: 0)
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

  /// The sample of sleep that was packed.
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

  mutating func add(_ sample: SleepSample) {
    guard isWanted(sample.range.lowerBound, sample.range.upperBound) else { return }
    add(PackedRow(sample))
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

  /// All rows, in their order.
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
