import HealthLedger
package import HealthModel
package import HealthStreams
import ObjectStore
import Synchronization

/// What the routes of a server share (R54).
package struct Hub: Sendable {
  /// The part of tokens without a person: the store's own.
  let own: PersonHub
  /// The people of the store (R65); nil if the server has none.
  let people: ServedPeople?
  let tokens: TokenCache
  package let limits: HubLimits
  let now: @Sendable () -> Timestamp
  /// Puts what is received in one order.
  private let receipts: ReceiptOrder
  /// Words what helps where a token does not do.
  let remedy: @Sendable (TokenRemedy) -> String
  /// Takes the line of each request.
  let report: @Sendable (RequestRecord) -> Void
  let compression: any BatchCompression

  package init(
    _ own: PersonHub, people: ServedPeople? = nil, tokens: TokenCache,
    limits: HubLimits = HubLimits(), compression: any BatchCompression,
    now: @escaping @Sendable () -> Timestamp, receipts: ReceiptClock = ReceiptClock(),
    remedy: @escaping @Sendable (TokenRemedy) -> String,
    report: @escaping @Sendable (RequestRecord) -> Void
  ) {
    (self.own, self.people, self.tokens) = (own, people, tokens)
    (self.limits, self.compression) = (limits, compression)
    (self.now, self.remedy, self.report) = (now, remedy, report)
    self.receipts = ReceiptOrder(receipts, own.tables)
  }

  /// The part of those whose token was sent. It reaches that person's data and nobody else's: what
  /// handles a request asks here, and nowhere else, where to read and write.
  func part(of device: AuthenticatedDevice) throws(RequestFailure) -> PersonHub {
    guard let person = device.person else { return own }
    guard let people else {
      throw RequestFailure(403, "no_people", "this server keeps the data of one person only")
    }
    do throws(LedgerError) {
      return try people.part(of: person, self)
    } catch {
      throw .unavailable("the person's data can't be opened at the moment", cause: error.message)
    }
  }

  /// The same, if it is there already.
  func known(_ person: PersonID?) -> PersonHub? { person.map { people?.known($0) } ?? own }

  /// The moment of a receipt, by this machine's clock, corrected by the store's where that is known.
  ///
  /// - Parameter isKept: whether it is to be one that nothing else was or will be received at, for what
  ///   is stored.
  func receipt(isKept: Bool) async -> PreciseMoment {
    let offset = await own.streams.store.clockOffset() ?? 0
    return isKept
      ? await receipts.next(offset: offset)
      : PreciseMoment(now().adding(seconds: offset))
  }

  /// Stores a batch, and has the days made again that it touches. Returns when it is durable.
  ///
  /// - Parameter feed: where the entries come from, such as `overland`.
  /// - Throws: `RequestFailure`, to be answered as it is. Then nothing is acknowledged.
  func receive(
    _ batch: SealedBatch, feed: String, from request: AuthenticatedRequest
  ) async throws(RequestFailure) -> AppendReceipt {
    let (part, order) = (try part(of: request.device), request.order)
    let days = part.days
    var keep: (@Sendable (ObjectKey, StoredSamples) -> Void)?
    if let days { keep = { key, samples in days.deriver.keep(samples, of: key) } }
    let receipt: AppendReceipt
    do throws(StreamError) {
      receipt = try await part.streams.append(
        batch, feed: feed, receivedAt: order,
        run: part.runs.run(of: batch.deviceID, at: order.timestamp), keeping: keep)
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

/// The order of what a server acknowledges (R46): whatever is received after an acknowledgement comes
/// after what was acknowledged.
///
/// Servers of one database take their places from it, so that they have one order. While it is away,
/// or where there is none, each goes by its own clock, after everything that it knows of.
final class ReceiptOrder: Sendable {
  private let clock: ReceiptClock
  private let tables: (any RecordTables)?
  private let awayUntil = Mutex<ContinuousClock.Instant?>(nil)

  /// How long the database may take, in seconds, and how long it is not asked after it has failed.
  private static let seconds = 2
  private static let pause: Duration = .seconds(2)

  init(_ clock: ReceiptClock, _ tables: (any RecordTables)?) {
    (self.clock, self.tables) = (clock, tables)
  }

  func next(offset: Int) async -> PreciseMoment {
    let own = await clock.next(offset: offset)
    guard let tables else { return own }
    if let until = awayUntil.withLock({ $0 }), .now < until { return own }
    let given = await TimeLimit.run(Self.seconds) { try? await tables.order(from: own) }
    guard let order = given ?? nil else {
      awayUntil.withLock { $0 = .now + Self.pause }
      return own
    }
    awayUntil.withLock { $0 = nil }
    clock.pass(order)
    return order
  }
}
