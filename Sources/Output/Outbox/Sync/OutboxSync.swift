public import HealthModel
public import HealthStreams

/// One sync of the outbox with a receiver (R48).
package struct OutboxSync: Sendable {
  private let outbox: Outbox
  private let receiver: any BatchReceiver
  private let streams: [StreamName]
  private let recent: Timestamp?

  /// - Parameters:
  ///   - streams: those that are synced, in this order.
  ///   - recent: batches with an entry since then go first. For that all entries are sealed at the
  ///     beginning.
  package init(
    _ outbox: Outbox, to receiver: any BatchReceiver, streams: [StreamName] = StreamName.queued,
    recentFirst recent: Timestamp? = nil
  ) {
    (self.outbox, self.receiver) = (outbox, receiver)
    (self.streams, self.recent) = (streams, recent)
  }

  /// Delivers what is due, stream by stream, one batch at a time. A stream that fails does not stop
  /// the others. Then it removes what is old enough, and makes room if the disk runs out of space.
  ///
  /// If the task is cancelled, it ends with the delivery that is under way, which costs no attempt.
  ///
  /// - Parameter progress: called after each delivery.
  package func run(
    _ progress: (StreamOutcome) -> Void = { _ in }
  ) async throws(OutboxError) -> SyncReport {
    var report = SyncReport(startedAt: outbox.file.now())
    for stream in streams where !Task.isCancelled {
      report.streams.append(try await sync(stream, progress))
    }
    // The latest: a receiver's clock goes forward.
    if let time = report.streams.compactMap(\.receiverTime).max() {
      report.aged = try outbox.clean(RetentionRule(receiverTime: time))
    }
    report.droppedForSpace = try outbox.makeRoom()
    report.status = try outbox.status()
    report.finishedAt = outbox.file.now()
    return report
  }

  private func sync(
    _ stream: StreamName, _ progress: (StreamOutcome) -> Void
  ) async throws(OutboxError) -> StreamOutcome {
    if recent != nil { try outbox.sealAll(stream) }
    var machine = StreamSyncMachine(stream: stream)
    var action = machine.start()
    var batch: SealedBatch?
    while true {
      switch action {
      case .take:
        // Nothing is under way: what was decided is durable.
        if Task.isCancelled { return machine.outcome }
        let taken = try outbox.take(stream, recent: recent)
        batch = taken?.batch
        action = machine.handle(.taken(taken?.state))
      case .deliver:
        guard let sealed = batch else { preconditionFailure("a batch is taken first") }
        let bytes = sealed.body.count
        batch = nil
        // Handed over, so that the receiver can let go of the body once it has packed it.
        let result = await receiver.deliver(consume sealed)
        // A cancelled delivery is not the receiver's failure, and costs no attempt.
        if case .failed = result, Task.isCancelled { return machine.outcome }
        action = machine.handle(
          .delivered(result, bytes: bytes, now: outbox.file.now()))
      case .apply(let change):
        try outbox.apply(change)
        progress(machine.outcome)
        action = machine.handle(.applied)
      case .finish(let outcome):
        return outcome
      }
    }
  }
}

/// What one sync did. Logs and notifications are made of it.
public struct SyncReport: Hashable, Sendable {
  /// By this machine's clock, as is the end.
  public let startedAt: Timestamp
  /// When it had ended.
  public internal(set) var finishedAt: Timestamp
  /// Each stream that was synced, in order.
  public internal(set) var streams: [StreamOutcome] = []
  /// What left because of its age. Its failed entries have their gaps recorded.
  public internal(set) var aged = DroppedCounts()
  /// What left because the disk ran out of space. Its failed and pending entries have their gaps
  /// recorded.
  public internal(set) var droppedForSpace = DroppedCounts()
  /// The outbox after the sync.
  public internal(set) var status = SyncStatus()

  init(startedAt: Timestamp) { (self.startedAt, finishedAt) = (startedAt, startedAt) }

  /// The failures, one for each stream that has one.
  public var failures: [DeliveryFailure] { streams.compactMap(\.failure) }
  /// Deliveries, whatever came of them.
  public var requests: Int { streams.reduce(0) { $0 + $1.requests } }
  /// Entries that were confirmed.
  public var entries: Int { streams.reduce(0) { $0 + $1.entries } }
}

extension Outbox {
  /// Sends what is due to a receiver, each stream's entries combined into batches of at most 5,000.
  ///
  /// Streams are independent: one that fails does not stop the others. A batch that fails waits 30,
  /// 60, 120 and 240 s; after the fifth failure it is set aside and revived by the next success. Being
  /// offline costs no attempt. Confirmed entries are removed after three days by the receiver's clock.
  ///
  /// It may be cancelled or killed at any moment: what was confirmed and recorded is not sent again,
  /// and a batch whose answer was lost is sent again under the same id, so that it is stored once.
  /// A cancelled sync returns what it has done.
  ///
  /// - Parameters:
  ///   - receiver: `IngestClient` or `BucketClient`, or one of your own.
  ///   - streams: those that are synced, in this order.
  /// - Throws: `OutboxError` where the queue itself fails. Failures of the receiver are in the report.
  @discardableResult
  public func sync(
    to receiver: any BatchReceiver, streams: [StreamName] = StreamName.collected
  ) async throws(OutboxError) -> SyncReport {
    try await OutboxSync(self, to: receiver, streams: streams).run()
  }
}
