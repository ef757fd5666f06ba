/// Rows in the order of the bytes of their ids, in which all writers lock rows and wait for one
/// another (R56). Of equal ids, the one that was given first comes first.
struct SortedRows<Row> {
  private let rows: [Row]
  private let keys: [Key]

  /// The first 16 bytes of an id, which decide nearly always, and the row's place.
  private struct Key {
    let high: UInt64
    let low: UInt64
    let place: Int

    init(_ id: String, _ place: Int) {
      var (high, low) = (UInt64(0), UInt64(0))
      var length = 0
      for byte in id.utf8.prefix(16) {
        if length < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
        length += 1
      }
      if length < 8 { high <<= UInt64(8 * (8 - length)) }
      if length < 16 { low <<= UInt64(8 * (16 - max(8, length))) }
      (self.high, self.low, self.place) = (high, low, place)
    }
  }

  init(_ rows: [Row], by id: (Row) -> String) {
    self.rows = rows
    keys = rows.enumerated().map { Key(id($0.element), $0.offset) }.sorted { a, b in
      if a.high != b.high { return a.high < b.high }
      if a.low != b.low { return a.low < b.low }
      let (x, y) = (id(rows[a.place]).utf8, id(rows[b.place]).utf8)
      if x.lexicographicallyPrecedes(y) { return true }
      return a.place < b.place && !y.lexicographicallyPrecedes(x)
    }
  }

  /// One row of each id: what `choose` makes of the one that was chosen before and the next.
  func one(
    ofEach id: (Row) -> String, _ choose: (_ held: Row, _ next: Row) -> Row
  ) -> [Row] {
    var chosen: [Row] = []
    chosen.reserveCapacity(rows.count)
    var last: Key?
    for key in keys {
      let row = rows[key.place]
      if let last, last.high == key.high, last.low == key.low,
        id(chosen[chosen.count - 1]).utf8.elementsEqual(id(row).utf8)
      {
        chosen[chosen.count - 1] = choose(chosen[chosen.count - 1], row)
      } else {
        chosen.append(row)
      }
      last = key
    }
    return chosen
  }
}
