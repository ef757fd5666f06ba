public import HealthModel
public import ObjectStore

/// What `append` stored.
public struct AppendReceipt: Hashable, Sendable {
  /// One object of the batch.
  public struct Part: Hashable, Sendable {
    /// Its key.
    public let key: ObjectKey
    /// The packed bytes; what was there already may have other ones.
    public let bytes: Int
    /// Whether an earlier delivery had stored it.
    public let wasStoredBefore: Bool
  }

  /// The objects, by UTC date.
  public let parts: [Part]
  /// The markers that this delivery has created; none for a stream from which no days are derived.
  package let markers: [ObjectKey]
  /// The moments that the markers name.
  package let spans: [ClosedRange<Timestamp>]
}

extension StreamStore {
  /// Stores a sealed batch, one object for each UTC date of its entries (R46).
  ///
  /// Returns when every object is durable. Storing the same batch again stores nothing. Whatever is
  /// thrown, and wherever the process ends, append the same batch again.
  ///
  /// - Parameters:
  ///   - batch: the batch to store.
  ///   - feed: where the entries came from: 1 to 64 ASCII letters, digits, `.`, `_` and `-`.
  ///   - receivedAt: when the batch was received, by the receiver's clock. An object that is there
  ///     already keeps the time and the feed of its first receipt.
  public func append(
    _ batch: consuming SealedBatch, feed: String, receivedAt: Timestamp
  ) async throws(StreamError) -> AppendReceipt {
    try await append(
      batch, feed: feed, receivedAt: PreciseMoment(receivedAt), run: nil, keeping: nil)
  }

  /// The same.
  ///
  /// - Parameters:
  ///   - run: the run in which it is stored, by which what it says can be undone. An object that is there already
  ///     keeps that of its first receipt.
  ///   - keep: takes the samples of each object that this call has stored: what reading it
  ///     gives. Of objects that were there, or may have been, it takes nothing.
  package func append(
    _ batch: consuming SealedBatch, feed: String, receivedAt: PreciseMoment, run: RunID? = nil,
    keeping keep: (@Sendable (ObjectKey, StoredSamples) -> Void)?
  ) async throws(StreamError) -> AppendReceipt {
    guard StoredBatch.isFeed(feed) else {
      throw StreamError(
        .invalidBatch, "a feed's name has 1 to 64 ASCII letters, digits, \".\", \"_\" and \"-\"")
    }
    let id = batch.id
    let plan = try AppendPlan(consume batch)
    let guarantees = try await StreamError.wrapping { () async throws(StoreError) in
      try await store.conditionalWrites()
    }
    guard guarantees != .unsafe else {
      if let reason = store.unobserved() { throw StreamError(reason) }
      throw StreamError(
        .unsafeStore,
        "the store may replace an object that is only to be created: it needs a newer release of "
          + "its software, or another store must take its place")
    }
    var shell = AppendShell(self, consume plan, of: id, feed: feed, receivedAt: receivedAt)
    (shell.keep, shell.runID) = (keep, run)
    return try await shell.run()
  }
}

/// Performs what the machine asks for.
private struct AppendShell {
  let streams: StreamStore
  var plan: AppendPlan
  let feed: String
  let receivedAt: PreciseMoment
  var runID: RunID?
  let marker: PendingMarker
  var machine: AppendMachine
  var markerKey: ObjectKey
  /// Their keys.
  var markerKeys: [ObjectKey] = []
  var markerSent: ContinuousClock.Instant
  /// The packed object of the part being sent.
  var packed: (part: Int, bytes: [UInt8])?
  var stored: [AppendReceipt.Part] = []
  /// Takes the samples of what is stored.
  var keep: (@Sendable (ObjectKey, StoredSamples) -> Void)?
  /// The samples of the part being sent, if they are to be kept.
  var samples: StoredSamples?
  /// What is wrong with the object that has a part's key.
  var blocking: BatchFault?
  /// Of each object by itself: a marker that is renewed for a part says nothing of the part.
  var unanswered: [ObjectKey: UnansweredWrites] = [:]
  var sent: ObjectKey

  init(
    _ streams: StreamStore, _ plan: AppendPlan, of id: String, feed: String,
    receivedAt: PreciseMoment
  ) {
    (self.streams, self.feed, self.receivedAt) = (streams, feed, receivedAt)
    markerKey = streams.layout.markerKey(batchID: id, random: 0)
    (sent, markerSent) = (markerKey, streams.now())
    marker = PendingMarker(
      batchID: id, receivedAt: receivedAt.timestamp,
      spans: plan.spans(receivedAt: receivedAt.timestamp))
    machine = AppendMachine(
      partCount: plan.references.count + plan.parts.count, needsMarker: !plan.spans.isEmpty)
    self.plan = plan
  }

  mutating func run() async throws(StreamError) -> AppendReceipt {
    var action = machine.start()
    while true {
      let event: AppendMachine.Event
      switch action {
      case .createMarker(let number): event = .put(try await createMarker(number))
      case .readMarker: event = .read(try await readMarker())
      case .createPart(let index): event = .put(try await createPart(index))
      case .readPart(let index): event = .read(try await readPart(index))
      case .rest(let attempt):
        if let unanswered = unanswered[sent],
          unanswered.isExhausted(after: streams.patience, at: streams.now())
        {
          throw noAnswer(sent, attempts: unanswered.count)
        }
        do {
          try await streams.rest(attempt)
        } catch {
          throw StreamError(StoreError(.cancelled, "storing the batch was cancelled"))
        }
        event = .rested
      case .confirm:
        return AppendReceipt(parts: stored, markers: markerKeys, spans: marker.spans)
      case .fail(let failure): throw error(failure)
      }
      let age = Int((streams.now() - markerSent).components.seconds)
      action = machine.handle(event, markerAge: age)
    }
  }

  private mutating func createMarker(_ number: Int) async throws(StreamError)
    -> AppendMachine.PutAnswer
  {
    if markerKeys.count < number {
      markerKey = streams.layout.markerKey(batchID: marker.batchID, random: streams.random())
      markerKeys.append(markerKey)
      markerSent = streams.now()
    }
    return try await put(markerKey, marker.bytes)
  }

  private func readMarker() async throws(StreamError) -> AppendMachine.Reading {
    let (store, key) = (streams.store, markerKey)
    do throws(StoreError) {
      guard let found = try await store.get(key, limit: PendingMarker.maximumBytes) else {
        return .absent
      }
      return found.body == marker.bytes ? .same : .other
    } catch  where error.code == .tooLarge {
      return .other
    } catch {
      throw StreamError(error)
    }
  }

  private mutating func createPart(_ index: Int) async throws(StreamError)
    -> AppendMachine.PutAnswer
  {
    if index < plan.references.count {
      return try await put(key(index), PayloadReference.content)
    }
    let bytes = try pack(index)
    let answer = try await put(key(index), bytes)
    if answer == .stored {
      note(index, wasStoredBefore: false)
      if let samples { keep?(key(index), samples) }
    }
    // After any other answer the object may be another delivery's, with its own time of receipt.
    samples = nil
    return answer
  }

  /// Whether the object under a part's key is that part. Its gzip bytes, its time of receipt and its
  /// feed may be those of an earlier delivery; the digest shows that the content is the same.
  private mutating func readPart(_ index: Int) async throws(StreamError) -> AppendMachine.Reading {
    let key = key(index)
    if index < plan.references.count { return try await readReference(key) }
    guard let place = streams.layout.place(key.rawValue) else { return .other }
    switch try await streams.read(key, at: place) {
    case nil: return .absent
    case .failure(let fault):
      blocking = fault
      return .other
    case .success:
      note(index, wasStoredBefore: true)
      return .same
    }
  }

  /// Its key says all: whatever it contains, it is there.
  private func readReference(_ key: ObjectKey) async throws(StreamError) -> AppendMachine.Reading {
    let store = streams.store
    do throws(StoreError) {
      return try await store.get(key, limit: 1024) == nil ? .absent : .same
    } catch  where error.code == .tooLarge || error.damaged != nil {
      return .same
    } catch {
      throw StreamError(error)
    }
  }

  private mutating func put(
    _ key: ObjectKey, _ bytes: [UInt8]
  ) async throws(StreamError) -> AppendMachine.PutAnswer {
    let (store, sentAt) = (streams.store, streams.now())
    sent = key
    let outcome = try await StreamError.wrapping { () async throws(StoreError) in
      try await store.put(key, bytes, if: .absent)
    }
    unanswered[key, default: .init()].note(outcome, sentAt: sentAt)
    return switch outcome {
    case .stored: .stored
    case .preconditionFailed: .refused
    case .unknown: .unknown
    }
  }

  /// The packed object of a part; packed once, so that every attempt sends the same bytes.
  private mutating func pack(_ index: Int) throws(StreamError) -> [UInt8] {
    if let packed, packed.part == index { return packed.bytes }
    let pieces = StoredBatch.pieces(
      of: part(index).batch, feed: feed, receivedAt: receivedAt, run: runID)
    do throws(BatchCompressionError) {
      let bytes = try streams.compression.gzip(pieces)
      packed = (index, bytes)
      samples =
        keep == nil
        ? nil
        : part(index).batch.samples(
          feed: feed, order: receivedAt, run: runID)
      // The machine never goes back to an earlier part, so its body is not needed any more.
      plan.parts[index - plan.references.count].dropBody()
      return bytes
    } catch {
      throw StreamError(StoreError(.internal, "the batch can't be packed: \(error)"))
    }
  }

  /// The part that is created as the object of an index, after the references.
  private func part(_ index: Int) -> AppendPlan.Part { plan.parts[index - plan.references.count] }

  private func key(_ index: Int) -> ObjectKey {
    if index < plan.references.count { return streams.layout.key(of: plan.references[index]) }
    let part = part(index)
    return streams.layout.key(
      of: part.batch.stream, device: part.batch.deviceID, on: part.date, id: part.batch.id)
  }

  private mutating func note(_ index: Int, wasStoredBefore: Bool) {
    let bytes = packed?.part == index ? packed?.bytes.count : nil
    stored.append(.init(key: key(index), bytes: bytes ?? 0, wasStoredBefore: wasStoredBefore))
  }

  private func error(_ failure: AppendMachine.Failure) -> StreamError {
    switch failure {
    case .unanswered(let part):
      noAnswer(part.map(key) ?? markerKey, attempts: AppendMachine.maximumSends)
    case .occupied(let part):
      StreamError(
        .occupied,
        "an object with other content has this key" + (blocking.map { ": \($0.message)" } ?? ""),
        key: (part.map(key) ?? markerKey).rawValue)
    }
  }

  private func noAnswer(_ key: ObjectKey, attempts: Int) -> StreamError {
    var message = "the store gave no clear answer to \(attempts) attempts"
    if var last = unanswered[key]?.last {
      // The report already names the key and a remedy.
      (last.key, last.remedy) = (nil, nil)
      message += "; lastly \(last)"
    }
    return StreamError(.unanswered, message, key: key.rawValue)
  }
}
