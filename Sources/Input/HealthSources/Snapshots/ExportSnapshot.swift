package import AppleExport
package import HealthLedger
package import HealthModel

/// The distinct samples of one export in their order, whatever its size, compared with those of the
/// export before it.
package struct ExportSnapshot {
  /// What differs between the last snapshot and this one.
  package struct Difference: Hashable, Sendable {
    /// Samples that are new or back.
    package var added = 0
    /// Samples that are gone.
    package var gone = 0
    /// Samples that the last snapshot had.
    package var before = 0
  }

  /// Takes the samples of an export.
  package struct Sink: ExportSink {
    private var sorter: SampleSorter<PackedSample>
    private var sources: [ExportSource]
    private var numbers: [ExportSource: Int] = [:]
    /// Words that are written at once.
    private static let block = 4096 * SnapshotRecord.wordCount
    /// By the export's own numbers.
    private var known: [UInt16] = []
    /// Samples that a stream can't hold, with dates or values out of range.
    package private(set) var leftOut = 0
    /// When the export was made, in seconds since 1970; nil if it does not say.
    package private(set) var madeAt: Int?

    /// - Parameter old: the last snapshot. Its sources keep their numbers.
    package init(after old: SnapshotFile?, samplesInMemory: Int = 500_000) {
      sorter = SampleSorter(file: UnlinkedFile(), capacity: samplesInMemory)
      sources = old?.sources ?? []
      for (number, source) in sources.enumerated() { numbers[source] = number }
    }

    package mutating func take(locale: String) {}
    package mutating func take(exportDate: Int64) {
      madeAt = max(madeAt ?? .min, Int(exportDate))
    }
    package mutating func take(timeZone: String, at start: Int64?, ofSleep: Bool) {}
    package mutating func take(_ workout: ExportWorkout) {}
    package mutating func take(_ summary: ActivitySummary) {}
    package mutating func skip(_ reason: SkipReason, _ kind: SampleKind?) {}

    package mutating func take(source: ExportSource) {
      let number = numbers[source] ?? sources.count
      if number == sources.count {
        sources.append(source)
        numbers[source] = number
      }
      known.append(UInt16(clamping: number))
    }

    package mutating func take(_ sample: ExportSample) throws {
      guard known.indices.contains(Int(sample.source)),
        case .success(let packed) = PackedSample.packing(sample, source: known[Int(sample.source)])
      else {
        leftOut += 1
        return
      }
      try sorter.add(packed)
    }

    /// Writes a new snapshot: the samples of this export, and those of the last one that are gone.
    ///
    /// - Returns: the file, and what differs.
    package consuming func write(
      to path: String, after old: SnapshotFile?
    ) throws -> (SnapshotFile?, Difference) {
      // Twice: a file begins with its counts, so that one that is cut off is known.
      let (sources, madeAt) = (sources, madeAt)
      let spool = UnlinkedFile()
      var words: [UInt64] = []
      var (count, alive) = (0, 0)
      var difference = Difference()
      difference.before = old?.alive ?? 0
      var merge = try Merge(sorter.sorted(), old)
      while let record = try merge.next() {
        if record.new.isGone, record.old?.isGone == false { difference.gone += 1 }
        if !record.new.isGone, record.old?.isGone ?? true { difference.added += 1 }
        record.new.append(to: &words)
        (count, alive) = (count + 1, alive + (record.new.isGone ? 0 : 1))
        if words.count >= Self.block {
          try spool.append(words)
          words.removeAll(keepingCapacity: true)
        }
      }
      try spool.append(words)
      let writer = try WordFile.Writer(
        path, header: SnapshotFile.header(sources, count: count, alive: alive, madeAt: madeAt))
      let total = count * SnapshotRecord.wordCount
      for first in stride(from: 0, to: total, by: Self.block) {
        try writer.append(try spool.words(at: first, count: min(Self.block, total - first)))
      }
      try writer.finish()
      return (try SnapshotFile(path: path), difference)
    }
  }

  /// A record of two sorted streams.
  private struct Merge {
    private var stream: SortedSamples<PackedSample>
    private var alike = AlikeSamples()
    private var reader: SnapshotFile.Reader?
    private var head: PackedSample?
    private var old: SnapshotRecord?

    init(_ stream: SortedSamples<PackedSample>, _ file: SnapshotFile?) throws {
      self.stream = stream
      reader = file.map { SnapshotFile.Reader($0) }
      head = try entry()
      old = try reader?.record()
    }

    mutating func next() throws -> (old: SnapshotRecord?, new: SnapshotRecord)? {
      let known = old
      guard let sample = [head, known?.sample].compactMap(\.self).min() else { return nil }
      let isKnown = known?.sample == sample
      let isThere = head == sample
      if isKnown { old = try reader?.record() }
      if isThere { head = try entry() }
      let before = isKnown ? known : nil
      return (before, .merged(before, isThere: isThere, sample))
    }

    /// The next entry of the export; a repeated record is one entry.
    ///
    /// Numbered among those that say the same, because what else tells them apart may be written in
    /// other words in the next export.
    private mutating func entry() throws -> PackedSample? {
      while let sample = try stream.next() {
        if case .entry(let number) = alike.take(sample) { return sample.numbered(number) }
      }
      return nil
    }
  }

  /// What leads from one snapshot to a later one, from a position on.
  package struct Changes {
    /// A change: a sample that is there now, or one that is gone.
    package enum Change: Hashable, Sendable {
      case added(SnapshotSample)
      case gone(SnapshotSample)

      var sample: SnapshotSample {
        switch self {
        case .added(let sample), .gone(let sample): sample
        }
      }
    }

    /// How many records of both snapshots were looked at.
    package struct Position: Hashable, Sendable {
      package var old: Int
      package var new: Int

      /// A position; the start, unless it is given.
      package init(old: Int = 0, new: Int = 0) { (self.old, self.new) = (old, new) }
    }

    private var old: SnapshotFile.Reader?
    private var new: SnapshotFile.Reader
    private let sources: [ExportSource]
    private var before: SnapshotRecord?
    package private(set) var position: Position

    /// - Parameters:
    ///   - old: the snapshot that `new` was made after; nil for everything, also what was ever gone.
    ///   - position: where an earlier reading ended.
    package init(
      from old: SnapshotFile?, to new: SnapshotFile, at position: Position
    ) throws(LedgerError) {
      (sources, self.position) = (new.sources, position)
      self.new = SnapshotFile.Reader(new, from: position.new)
      if let old {
        var reader = SnapshotFile.Reader(old, from: position.old)
        before = try reader.record()
        self.old = reader
      }
    }

    /// The next change; nil at the end.
    package mutating func next() throws(LedgerError) -> Change? {
      while let (old, new) = try step() {
        if let old, old.isGone == new.isGone { continue }
        guard let sample = SnapshotSample(new, sources) else { continue }
        return new.isGone ? .gone(sample) : .added(sample)
      }
      return nil
    }

    /// Every record of the older snapshot is in the newer one, in the same order.
    private mutating func step() throws(LedgerError) -> (SnapshotRecord?, SnapshotRecord)? {
      guard let record = try new.record() else { return nil }
      position.new += 1
      guard let known = before, known.sample == record.sample else { return (nil, record) }
      position.old += 1
      before = try old?.record()
      return (known, record)
    }
  }
}
