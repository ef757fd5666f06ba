package import HealthModel
package import HealthStreams
import ObjectStore

/// What the routes of a server share (R54).
package struct Hub: Sendable {
  /// The store's streams.
  package let streams: StreamStore
  /// The tables of records; nil if the server has no database.
  package let tables: (any RecordTables)?
  /// Makes the days again that batches touch; nil if somebody else does.
  package let days: DayRecompute?
  /// The page for people; nil if the server has none.
  package let dashboard: Dashboard?
  /// What agents are told; nil if the server answers none.
  package let agents: AgentDoor?
  let tokens: TokenKeeper
  package let limits: HubLimits
  /// This machine's clock.
  let now: @Sendable () -> Timestamp
  /// Puts what is received in one order.
  private let receipts: ReceiptOrder
  /// Takes the line of each request.
  let report: @Sendable (RequestRecord) -> Void
  /// Unpacks bodies.
  let compression: any BatchCompression

  package init(
    streams: StreamStore, tables: (any RecordTables)? = nil, days: DayRecompute? = nil,
    dashboard: Dashboard? = nil, agents: AgentDoor? = nil, tokens: TokenKeeper,
    limits: HubLimits = HubLimits(), compression: any BatchCompression,
    now: @escaping @Sendable () -> Timestamp, receipts: ReceiptClock = ReceiptClock(),
    report: @escaping @Sendable (RequestRecord) -> Void
  ) {
    (self.streams, self.tables, self.days, self.tokens) = (streams, tables, days, tokens)
    (self.dashboard, self.agents) = (dashboard, agents)
    (self.limits, self.compression) = (limits, compression)
    (self.now, self.report) = (now, report)
    self.receipts = ReceiptOrder(receipts, tables)
  }

  /// The moment of a receipt, by this machine's clock, corrected by the store's where that is known.
  ///
  /// - Parameter isKept: whether it is to be one that nothing else was or will be received at, for what
  ///   is stored.
  func receipt(isKept: Bool) async -> PreciseMoment {
    let offset = await streams.store.clockOffset() ?? 0
    return isKept
      ? await receipts.next(offset: offset)
      : PreciseMoment(now().adding(seconds: offset))
  }

  /// Stores a batch, and has the days made again that it touches. Returns when it is durable.
  ///
  /// - Parameters:
  ///   - feed: where the entries come from, such as `overland`.
  ///   - order: `AuthenticatedRequest.order`.
  /// - Throws: `RequestFailure`, to be answered as it is. Then nothing is acknowledged.
  package func receive(
    _ batch: SealedBatch, feed: String, at order: PreciseMoment
  ) async throws(RequestFailure) -> AppendReceipt {
    var keep: (@Sendable (ObjectKey, StoredSamples) -> Void)?
    if let days { keep = { key, samples in days.keep(samples, of: key) } }
    let receipt: AppendReceipt
    do throws(StreamError) {
      receipt = try await streams.append(
        batch, feed: feed, receivedAt: order, keeping: keep)
    } catch {
      throw RequestFailure(error)
    }
    days?.touched(receipt.spans, markers: receipt.markers, receivedAt: order.timestamp)
    return receipt
  }
}

extension RequestFailure {
  /// What a failure to store a batch means for its sender.
  init(_ error: StreamError) {
    let cause = error.message + (error.key.map { " (\($0))" } ?? "")
    switch error.code {
    case .invalidBatch: self.init(400, "invalid_batch", error.message)
    case .occupied:
      self.init(500, "internal", "the batch can't be stored: its place is taken", cause: cause)
    case .store, .unanswered, .unsafeStore, .tooManyDevices:
      self = .unavailable(
        "the batch could not be stored; send the same again later",
        retryAfter: error.cause?.cause == .full ? 300 : 30, cause: cause)
    }
  }
}
