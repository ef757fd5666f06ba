import HealthModel
import HealthStreams
import Synchronization

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
