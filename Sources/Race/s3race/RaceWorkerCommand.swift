import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import HealthSources
import ObjectStore
import Race
import S3Store

/// `s3race worker`: one process of a race, started by `s3race` itself.
struct RaceWorkerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Run one process of a race; reads its orders from stdin.",
    shouldDisplay: false)

  /// The most bytes of the orders.
  static let maximumBytes = 1 << 20

  func run() async throws {
    try await reportingErrors(.text) { () async throws(LedgerError) in
      let order = try WorkerOrder(
        decoding: try InputFile.read("-", maximumBytes: Self.maximumBytes))
      Diagnostics.start(
        isQuiet: order.isQuiet, isVerbose: order.isVerbose, showsProgress: false)
      let journal = try RaceFile(journal: order.journal)
      let clock = SkewedClock(order.field.skew) { .now }
      let opened = try open(order.endpoint, order, clock: clock)
      var directly: [any ObjectStore] = []
      for endpoint in order.direct {
        directly.append(try open(endpoint, order, clock: clock).ledger.store)
      }
      var crew = LiveCrew(
        order.field, store: opened.ledger.store, directly: directly,
        clock: { order.clock.now }, now: { clock.now() }, journal: { journal.write($0) })
      crew.isWanted = { getppid() == order.parent }
      let ready = crew
      try await opened.run { _ async throws(LedgerError) in try await ready.run() }
      return .success
    }
  }

  private func open(
    _ endpoint: String?, _ order: WorkerOrder, clock: SkewedClock
  ) throws(LedgerError) -> OpenedStore {
    try OpenedStore(try StoreSettings(order.settings, at: endpoint), for: .writing) { options in
      options.assumedVerdict = order.verdict?.probeVerdict
      options.localNow = { clock.now().secondsSince1970 }
      // A race is over soon, and what fails is counted and done again.
      options.pace.sleep = { try await Task.sleep(for: min($0, .milliseconds(500))) }
    }
  }
}
