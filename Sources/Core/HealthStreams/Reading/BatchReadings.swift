/// What reading one listed batch gave.
public struct BatchReading: Sendable {
  /// The batch as listed.
  public let listed: ListedBatch
  /// The batch, or why the object is not one; nil if it is gone since it was listed.
  public let result: Result<StoredBatch, BatchFault>?
}

/// Reads listed batches in their order, a few at once, so that memory stays bounded.
///
/// A fault of one object is an element like the others; a failure of the store is thrown.
public struct BatchReadings: AsyncSequence, Sendable {
  /// One for each listed batch.
  public typealias Element = BatchReading
  /// The store failed.
  public typealias Failure = StreamError

  let streams: StreamStore
  let batches: [ListedBatch]

  /// How many objects are read at once, and how many packed bytes these may have together.
  static let (width, maximumBytes) = (16, 16 << 20)

  /// Reads ahead and hands out in order.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let streams: StreamStore
    let batches: [ListedBatch]
    private var next = 0
    private var ready: ArraySlice<BatchReading> = []

    init(_ readings: BatchReadings) {
      (streams, batches) = (readings.streams, readings.batches)
    }

    /// The next batch; nil after the last.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(StreamError) -> BatchReading? {
      guard ready.isEmpty else { return ready.popFirst() }
      var (end, bytes) = (next, 0)
      while end < batches.count, end - next < BatchReadings.width {
        bytes += batches[end].size
        guard end == next || bytes <= BatchReadings.maximumBytes else { break }
        end += 1
      }
      let (streams, window) = (streams, batches[next..<end])
      next = end
      let results = await withTaskGroup(
        of: (Int, Result<BatchReading, StreamError>).self
      ) { group in
        for index in window.indices {
          let listed = window[index]
          group.addTask {
            // The result comes first: a tuple that is begun before an await loses its first part to the
            // optimiser (Swift 6.3).
            let result: Result<BatchReading, StreamError>
            do throws(StreamError) {
              let read = try await streams.read(listed.key, at: listed.place)
              result = .success(BatchReading(listed: listed, result: read))
            } catch {
              result = .failure(error)
            }
            return (index, result)
          }
        }
        var results: [(Int, Result<BatchReading, StreamError>)] = []
        for await result in group { results.append(result) }
        return results.sorted { $0.0 < $1.0 }
      }
      var readings: [BatchReading] = []
      for (_, result) in results { readings.append(try result.get()) }
      ready = readings[...]
      return ready.popFirst()
    }
  }

  /// An iterator at the first batch.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension StreamStore {
  /// Reads listed batches, in their order.
  public func readings(of batches: [ListedBatch]) -> BatchReadings {
    BatchReadings(streams: self, batches: batches)
  }
}
