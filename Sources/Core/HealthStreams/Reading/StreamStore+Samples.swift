import HealthModel

extension StoredSamples {
  /// Those of an unpacked object, checked as a batch of that place.
  init(
    checking object: [UInt8], at place: StreamLayout.BatchPlace,
    _ digest: SealedBatch.Digest = SealedBatch.digest
  ) throws(BatchFault) {
    if let samples = StoredSamples(scanning: object, at: place, digest) {
      self = samples
      return
    }
    let batch = try StoredBatch(parsing: object)
    try batch.check(at: place)
    self.init(batch)
  }
}

extension StreamStore {
  /// How many batches are read at once.
  private static let samplesWidth = 4

  /// What reading the samples of a batch gave.
  package typealias SamplesRead = (
    ListedBatch, Result<Result<StoredSamples, BatchFault>?, StreamError>
  )

  /// Reads the samples of listed batches, a few at once, in any order.
  package func samples(of batches: [ListedBatch]) async -> [SamplesRead] {
    await withTaskGroup(of: SamplesRead.self) { group in
      var rest = batches[...]
      func readNext() {
        guard let listed = rest.popFirst() else { return }
        group.addTask {
          // The result comes first: see `BatchReadings`.
          let result: Result<Result<StoredSamples, BatchFault>?, StreamError>
          do throws(StreamError) {
            result = .success(
              try await self.read(listed.key) { (object) throws(BatchFault) in
                try StoredSamples(checking: object, at: listed.place, digest)
              })
          } catch {
            result = .failure(error)
          }
          return (listed, result)
        }
      }
      for _ in 0..<Self.samplesWidth { readNext() }
      var read: [SamplesRead] = []
      for await one in group {
        read.append(one)
        readNext()
      }
      return read
    }
  }
}

extension StoredSamples {
  /// Reads an unpacked object where it stands. Nil for anything that is not, byte for byte, as
  /// `StoredBatch.pieces` writes a valid batch of samples of this place.
  init?(
    scanning object: [UInt8], at place: StreamLayout.BatchPlace,
    _ digest: SealedBatch.Digest = SealedBatch.digest
  ) {
    guard object.count <= StoredBatch.maximumBytes, place.stream == .healthKit else { return nil }
    var json = PlainJSON(object, in: 0..<object.count)
    guard json.skip(#"{"batch_id":"\#(place.id)","batch_metadata":"#) else { return nil }
    let metadataStart = json.offset
    var request = RequestScan.Metadata()
    guard request.read(&json), let total = request.total, let session = request.session,
      let count = Int(exactly: total), (1...SealedBatch.maximumRecords).contains(count)
    else { return nil }
    let metadata = BatchBody.metadata(
      count: count, session: session, appVersion: request.appVersion)
    let dataEnd = BatchBody.end(.healthKit, deviceID: place.deviceID)
    guard object[metadataStart..<json.offset].elementsEqual(metadata),
      json.skip(#","canonicaliser":1,"data":["#)
    else { return nil }
    let start = json.offset
    // Feed and time of receipt are in the few bytes at the end.
    guard let tail = Tail(object, deviceID: place.deviceID), start < tail.entriesEnd else {
      return nil
    }
    let end = tail.entriesEnd
    var isWhole = true
    self.init(
      object,
      { last in
        guard let last else { return start..<end }
        if last == end { return nil }
        guard object[last] == UInt8(ascii: ","), last + 1 < end else {
          isWhole = false
          return nil
        }
        return (last + 1)..<end
      }, deviceID: place.deviceID, feed: tail.feed, order: tail.order,
      run: tail.run, count: count)
    guard isWhole, samples.count == count,
      samples.allSatisfy({ $0.start.utcDate == place.date })
    else { return nil }
    var body = BatchBody.start
    body.reserveCapacity(object.count)
    body += metadata
    body += BatchBody.dataStart
    body += object[start..<end]
    body += dataEnd
    guard body.count <= SealedBatch.maximumBytes, digest(body) == place.id else {
      return nil
    }
  }

  /// What follows the entries.
  private struct Tail {
    let entriesEnd: Int
    let feed: String
    let order: PreciseMoment
    let run: RunID?

    init?(_ object: [UInt8], deviceID: String) {
      let device = Array(#"],"device_id":"\#(deviceID)","feed":""#.utf8)
      // A feed has at most 64 bytes, and the rest is hardly of other lengths.
      let window = max(0, object.count - 400)
      guard
        let place = (window..<object.count).last(where: {
          object[$0] == device[0] && object[$0...].starts(with: device)
        })
      else { return nil }
      var json = PlainJSON(object, in: (place + device.count - 1)..<object.count)
      guard let feed = json.text().map(json.string), StoredBatch.isFeed(feed),
        json.skip(#","format":"\#(StoredBatch.format)","received_at":"#),
        let received = json.text().map(json.string), let order = PreciseMoment(received),
        order.description == received
      else { return nil }
      var run: RunID?
      if json.skip(#","run":"#) {
        run = json.text().map(json.string).flatMap(RunID.init(rawValue:))
        guard run != nil else { return nil }
      }
      guard json.skip(#","stream_name":"\#(StreamName.healthKit.rawValue)"}"#),
        json.offset == object.count
      else { return nil }
      (entriesEnd, self.feed, self.order, self.run) = (place, feed, order, run)
    }
  }
}

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
