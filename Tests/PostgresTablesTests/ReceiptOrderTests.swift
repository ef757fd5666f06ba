import HealthModel
import TestSupport
import Testing

@testable import PostgresTables

/// The order of receipts, which the servers of one database share (R46).
@Suite(.process, .database)
struct ReceiptOrderTests {
  @Test func `R46: servers of one database get places in one order, also after a failure`()
    async throws
  {
    let database = try await PostgresServer.shared().database()
    let servers = try (0..<2).map { _ in
      PostgresTables(try PostgresTarget(database.url), timeout: .seconds(60))
    }
    let moment = PreciseMoment(secondsSince1970: 1_770_000_000)
    let error = await #expect(throws: PostgresError.self) {
      try await servers[0].order(from: moment)
    }
    #expect(error?.code == .tablesMissing)
    _ = try await servers[0].create()
    // The same connection is used again.
    let first = try await servers[0].order(from: moment)
    #expect(first == moment)
    let places = try await withThrowingTaskGroup(of: PreciseMoment.self) { group in
      for number in 0..<40 {
        group.addTask { try await servers[number % 2].order(from: moment) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let expected = (1...40).map { moment.adding(microseconds: $0) }
    #expect(places.sorted() == expected)
    // A clock that is behind gets the next place; one that is ahead keeps its own moment.
    let last = try await servers[1].order(from: PreciseMoment(secondsSince1970: 1))
    #expect(last == moment.adding(microseconds: 41))
    let ahead = moment.adding(microseconds: 5_000_000)
    #expect(try await servers[0].order(from: ahead) == ahead)
  }
}
