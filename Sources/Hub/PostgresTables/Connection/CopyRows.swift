import HealthModel

/// Rows in COPY's binary format (R56): each field has its length before it, so that neither side makes
/// text of numbers and moments, nor reads it.
///
/// The columns must have just the types of the fields: `TEXT`, `BOOLEAN`, `DOUBLE PRECISION`,
/// `BIGINT`, `TIMESTAMPTZ` and `JSONB`.
struct CopyRows {
  /// All rows up to now, without the end that `finished` adds.
  private var bytes: [UInt8]
  private let fieldCount: Int16
  /// The fields that the row at hand has still to get.
  private var missing: Int16 = 0

  /// - Parameters:
  ///   - columns: how many fields each row has.
  ///   - rows: about how many rows will come.
  init(columns: Int, rows: Int) {
    fieldCount = Int16(columns)
    bytes = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0]
    // No flags, and no further header.
    bytes += repeatElement(0, count: 8)
    bytes.reserveCapacity(bytes.count + rows * (columns * 16 + 64) + 2)
  }

  /// What is sent.
  var finished: [UInt8] {
    var all = bytes
    Self.append(Int16(-1), to: &all)
    return all
  }

  mutating func beginRow() {
    precondition(missing == 0, "a row has a field too few")
    missing = fieldCount
    Self.append(fieldCount, to: &bytes)
  }

  /// Appends a text; nil is null.
  mutating func add(_ text: String?) {
    guard let text else { return addNull() }
    begin(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func add(_ flag: Bool) {
    begin(1)
    bytes.append(flag ? 1 : 0)
  }

  mutating func add(_ number: Double?) {
    guard let number else { return addNull() }
    begin(8)
    Self.append(number.bitPattern, to: &bytes)
  }

  mutating func add(_ number: Int?) {
    guard let number else { return addNull() }
    begin(8)
    Self.append(Int64(number), to: &bytes)
  }

  mutating func add(_ moment: PreciseMoment) {
    // PostgreSQL counts from 2000-01-01T00:00:00Z.
    add(moment.microseconds - 946_684_800_000_000)
  }

  /// Appends a JSON document.
  mutating func add(document: [UInt8]) {
    begin(document.count + 1)
    // The version of the format of JSONB: text comes after it.
    bytes.append(1)
    bytes.append(contentsOf: document)
  }

  private mutating func addNull() { begin(-1) }

  private mutating func begin(_ length: Int) {
    missing -= 1
    precondition(missing >= 0, "a row has a field too many")
    Self.append(Int32(length), to: &bytes)
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }
}
