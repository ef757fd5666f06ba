internal import AppleExport

/// A sample, or a row, in a few words of 64 bits.
protocol PackedWords: Comparable, Sendable {
  static var wordCount: Int { get }
  init(words: ArraySlice<UInt64>)
  func append(to words: inout [UInt64])
}

/// Sorts any number of samples in bounded memory: what does not fit goes to a spool in sorted runs.
struct SampleSorter<Sample: PackedWords>: Sendable {
  private var samples: [Sample] = []
  private var runs: [Range<Int>] = []
  private let file: UnlinkedFile
  private let capacity: Int

  /// - Parameter capacity: samples kept in memory, 1 or more; sorting takes half as much again.
  init(file: UnlinkedFile, capacity: Int) {
    precondition(capacity > 0)
    (self.file, self.capacity) = (file, capacity)
  }

  mutating func add(_ sample: Sample) throws(ExportError) {
    if samples.count == capacity { try spill() }
    samples.append(sample)
  }

  /// Those that are not in the spool, in any order.
  var inMemory: [Sample] { samples }

  /// Gives back the memory of samples that did not come.
  mutating func trim() {
    var exact: [Sample] = []
    exact.reserveCapacity(samples.count)
    exact += samples
    samples = exact
  }

  /// All samples, in their order.
  consuming func sorted() -> SortedSamples<Sample> {
    samples.sort()
    return SortedSamples(last: samples, runs: runs, file: file)
  }

  private mutating func spill() throws(ExportError) {
    samples.sort()
    let first = runs.last?.upperBound ?? 0
    var words: [UInt64] = []
    words.reserveCapacity(Self.blockWords)
    for sample in samples {
      sample.append(to: &words)
      if words.count == Self.blockWords {
        try file.append(words)
        words.removeAll(keepingCapacity: true)
      }
    }
    if !words.isEmpty { try file.append(words) }
    runs.append(first..<first + samples.count)
    samples.removeAll(keepingCapacity: true)
  }

  private static var blockWords: Int { Sample.wordCount * 4096 }
}
