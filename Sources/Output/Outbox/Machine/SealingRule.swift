import HealthStreams

/// Which waiting entries the next batch has (R46, R47).
///
/// Pure. The oldest entries of one stream and device, in the order in which they were queued, up to
/// the bounds of a batch. Sealing is one transaction: choosing the rows, and giving them to the
/// batch. A row belongs to at most one batch, and a batch never changes. Otherwise two syncs send
/// [1..45] and [1..46].
package enum SealingRule {
  /// How many of the entries go into the next batch.
  ///
  /// - Parameters:
  ///   - sizes: the bytes of the waiting entries of one stream and device, oldest first.
  ///   - overhead: the bytes of the body without its entries.
  /// - Returns: at least 1, if there is an entry.
  package static func count(
    of sizes: some Sequence<Int>, overhead: Int, maximumRecords: Int = SealedBatch.maximumRecords,
    maximumBytes: Int = SealedBatch.maximumBytes
  ) -> Int {
    var (count, bytes) = (0, overhead)
    for size in sizes {
      // Entries are joined by commas.
      bytes += size + (count > 0 ? 1 : 0)
      guard count == 0 || (count < maximumRecords && bytes <= maximumBytes) else { break }
      count += 1
    }
    return count
  }

  /// The most records of one batch of a stream. A payload is a batch of its own: its session and its
  /// time of receipt distinguish it from others.
  static func maximumRecords(of stream: StreamName) -> Int {
    stream == .healthAutoExport ? 1 : SealedBatch.maximumRecords
  }

  /// The sizes of the two parts of a batch that is split; nil if it has one entry only.
  package static func halves(of entries: Int) -> (first: Int, second: Int)? {
    guard entries > 1 else { return nil }
    return (entries / 2, entries - entries / 2)
  }
}
