internal import AppleExport

/// Sorts any number of samples in bounded memory: what does not fit goes to a spool in sorted runs.
struct SampleSorter<File: SpoolFile> {
  private var samples: [PackedSample] = []
  private var runs: [Range<Int>] = []
  private var file: File
  private let capacity: Int

  /// - Parameter capacity: samples kept in memory, 1 or more; each takes 24 bytes, and sorting half
  ///   as much again.
  init(file: File, capacity: Int) {
    precondition(capacity > 0)
    (self.file, self.capacity) = (file, capacity)
  }

  mutating func add(_ sample: PackedSample) throws(SpoolFailure) {
    if samples.count == capacity { try spill() }
    samples.append(sample)
  }

  /// All samples, in their order.
  consuming func sorted() -> SortedSamples<File> {
    samples.sort()
    return SortedSamples(last: samples, runs: runs, file: file)
  }

  private mutating func spill() throws(SpoolFailure) {
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

  private static var blockWords: Int { PackedSample.wordCount * 4096 }
}

/// Samples in their order, merged from sorted runs.
struct SortedSamples<File: SpoolFile> {
  /// A run that is read block by block; the one in memory is a block without a rest.
  private struct Run {
    var block: [PackedSample]
    var index = 0
    var rest: Range<Int>
  }

  private var runs: [Run] = []
  /// A heap of the runs that are not at their end, by their heads.
  private var heap: [Int] = []
  private let file: File
  private let blockSize: Int
  private var hasBegun = false

  init(last: [PackedSample], runs spilled: [Range<Int>], file: File) {
    self.file = file
    // All runs together read 200,000 samples ahead, 5 MB, but each at least one.
    blockSize = max(1, min(8192, 200_000 / max(1, spilled.count)))
    runs = spilled.map { Run(block: [], rest: $0) }
    runs.append(Run(block: last, rest: 0..<0))
  }

  /// The next sample; nil at the end.
  mutating func next() throws(SpoolFailure) -> PackedSample? {
    if !hasBegun { try begin() }
    guard let first = heap.first else { return nil }
    let sample = runs[first].block[runs[first].index]
    runs[first].index += 1
    if runs[first].index == runs[first].block.count, try !refill(first) {
      let last = heap.removeLast()
      if !heap.isEmpty { heap[0] = last }
    }
    if heap.count > 1 { sink(0) }
    return sample
  }

  private mutating func begin() throws(SpoolFailure) {
    hasBegun = true
    for run in runs.indices {
      if runs[run].block.isEmpty, try !refill(run) { continue }
      heap.append(run)
    }
    for place in heap.indices.reversed() { sink(place) }
  }

  /// Reads on in a run; false at its end.
  private mutating func refill(_ run: Int) throws(SpoolFailure) -> Bool {
    let next = runs[run].rest.prefix(blockSize)
    runs[run].rest = next.upperBound..<runs[run].rest.upperBound
    runs[run].index = 0
    guard !next.isEmpty else {
      runs[run].block = []
      return false
    }
    let words = try file.words(
      at: next.lowerBound * PackedSample.wordCount, count: next.count * PackedSample.wordCount)
    runs[run].block = stride(from: 0, to: words.count, by: PackedSample.wordCount).map {
      PackedSample(words: words[$0..<$0 + PackedSample.wordCount])
    }
    return true
  }

  private func precedes(_ a: Int, _ b: Int) -> Bool {
    runs[heap[a]].block[runs[heap[a]].index] < runs[heap[b]].block[runs[heap[b]].index]
  }

  /// Moves a run down the heap to its place.
  private mutating func sink(_ place: Int) {
    var place = place
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < heap.count && precedes(child, least) {
        least = child
      }
      guard least != place else { return }
      heap.swapAt(place, least)
      place = least
    }
  }
}
