import Foundation
import HealthModel
import ObjectStore
import TestSupport
import Testing

@testable import FaultProxy
@testable import HealthLedger
@testable import S3Store

/// A ledger whose client talks to a real server through a proxy, and one that talks to it directly.
struct LedgerBehindProxy {
  let proxied: HealthLedger
  let direct: HealthLedger
  let date: CalendarDate

  /// With the capability probe done, so that requests count from the publish on.
  init(_ server: TestServer, _ proxy: FaultProxy, isPatient: Bool) async throws {
    let near =
      isPatient
      ? try server.store(through: proxy) : try await server.impatientStore(through: proxy)
    let far = try DirectStores.store(server)
    #expect(try await near.conditionalWrites() == .compareAndSwap)
    #expect(try await far.conditionalWrites() == .compareAndSwap)
    let layout = try LedgerLayout(prefix: freshPrefix("ledger"))
    proxied = HealthLedger(store: near, layout: layout)
    direct = HealthLedger(store: far, layout: layout)
    date = try #require(CalendarDate("2026-03-10"))
  }

  /// The same stores below another prefix.
  init(elsewhere other: LedgerBehindProxy) throws {
    let layout = try LedgerLayout(prefix: freshPrefix("ledger"))
    proxied = HealthLedger(store: other.proxied.store, layout: layout)
    direct = HealthLedger(store: other.direct.store, layout: layout)
    date = other.date
  }

  /// One store per server for the whole run: the probe runs once.
  private enum DirectStores {
    private static let all: [String: S3Store] = {
      var stores: [String: S3Store] = [:]
      for server in TestServer.all { stores[server.name] = try? server.store() }
      return stores
    }()

    static func store(_ server: TestServer) throws -> S3Store {
      try #require(all[server.name])
    }
  }

  /// The day's data, which differs by its steps.
  func draft(steps: Double) throws -> DayDraft {
    let id = try #require(UUID(uuidString: "0B7E1D7A-7F8F-4C34-9F5D-2C9C1D6B1A01"))
    return DayDraft(
      day: try ReportingDay(date: date, timeZoneName: "Europe/Berlin"),
      collector: Collector(collectorID: id, deviceID: id), readings: [.steps: .value(steps)])
  }

  /// What the raw pointer names.
  func pointer() async throws -> RevisionID? {
    let object = try await direct.store.get(direct.layout.pointerKey(date), limit: 10_000)
    return try object.map {
      try #require(LatestPointer.decode($0.body, date: date).pointer?.revisionID)
    }
  }

  func revisions() async throws -> [RevisionID] { try await direct.listRevisions(date, after: nil) }

  func steps(of id: RevisionID) async throws -> Double? {
    let body = try #require(try await direct.readRevision(date, id).body)
    let revision = DailyRevision.decode(body, date: date, id: id, boundaries: .asWritten).revision
    guard case .value(let steps) = revision?.readings[.steps] else { return nil }
    return steps
  }
}
