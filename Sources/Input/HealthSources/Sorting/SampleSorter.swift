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

/// Samples in their order, merged from sorted runs.
struct SortedSamples<Sample: PackedWords> {
  /// A run that is read block by block; the one in memory is a block without a rest.
  private struct Run {
    var block: [Sample]
    var index = 0
    /// Samples of the spool that were not read yet.
    var rest: Range<Int>
  }

  /// The first sample of a run that was not yielded yet.
  private struct Head {
    var sample: Sample
    let run: Int
  }

  private var runs: [Run]
  /// A heap: no head comes before its parent, which is at half its place.
  private var heads: [Head] = []
  private let file: UnlinkedFile
  private let blockSize: Int
  private var hasBegun = false

  /// - Parameters:
  ///   - last: the run in memory.
  ///   - spilled: the other runs, by their samples in the file.
  init(last: [Sample], runs spilled: [Range<Int>], file: UnlinkedFile) {
    self.file = file
    // All runs together read 200,000 samples ahead, 5 MB, but each at least one.
    blockSize = max(1, min(8192, 200_000 / max(1, spilled.count)))
    runs = spilled.map { Run(block: [], rest: $0) }
    runs.append(Run(block: last, rest: 0..<0))
  }

  /// The next sample; nil at the end.
  mutating func next() throws(ExportError) -> Sample? {
    if !hasBegun { try begin() }
    guard let first = heads.first else { return nil }
    if let next = try advance(first.run) {
      heads[0].sample = next
    } else {
      let last = heads.removeLast()
      if !heads.isEmpty { heads[0] = last }
    }
    if heads.count > 1 { sink(0) }
    return first.sample
  }

  private mutating func begin() throws(ExportError) {
    hasBegun = true
    for run in runs.indices {
      if runs[run].block.isEmpty { try refill(run) }
      if let sample = runs[run].block.first { heads.append(Head(sample: sample, run: run)) }
    }
    for place in heads.indices.reversed() { sink(place) }
  }

  /// The sample of a run after the one that was yielded; nil at its end.
  private mutating func advance(_ run: Int) throws(ExportError) -> Sample? {
    runs[run].index += 1
    if runs[run].index == runs[run].block.count { try refill(run) }
    return runs[run].index < runs[run].block.count ? runs[run].block[runs[run].index] : nil
  }

  /// Reads the next block of a run, an empty one at its end.
  private mutating func refill(_ run: Int) throws(ExportError) {
    let next = runs[run].rest.prefix(blockSize)
    runs[run].rest = next.upperBound..<runs[run].rest.upperBound
    runs[run].index = 0
    runs[run].block = []
    guard !next.isEmpty else { return }
    let words = try file.words(
      at: next.lowerBound * Sample.wordCount, count: next.count * Sample.wordCount)
    runs[run].block.reserveCapacity(next.count)
    for first in stride(from: 0, to: words.count, by: Sample.wordCount) {
      runs[run].block.append(Sample(words: words[first..<first + Sample.wordCount]))
    }
  }

  /// Moves a head down the heap to its place.
  private mutating func sink(_ place: Int) {
    var place = place
    let head = heads[place]
    while 2 * place + 1 < heads.count {
      var child = 2 * place + 1
      if child + 1 < heads.count, heads[child + 1].sample < heads[child].sample { child += 1 }
      guard heads[child].sample < head.sample else { break }
      heads[place] = heads[child]
      place = child
    }
    heads[place] = head
  }
}
