package import HealthExports

/// Any number of rows, in several transactions, on all connections at the same time (R56): PostgreSQL
/// uses one processor for each. If one of them fails, what others have stored stays; loading the same
/// again stores nothing twice.
extension PostgresTables {
  /// Stores what is said of metrics, so that each row is the newest value.
  package func load(
    _ changes: [MetricChange], from origin: MetricChange.Origin
  ) async throws(PostgresError) -> RowCounts {
    let received = changes.count { $0.value != nil }
    return try await load(Self.newest(changes, from: origin), of: received) {
      tables, piece async throws(PostgresError) in
      try await tables.store(piece, from: origin)
    }
  }

  /// Stores workouts; those that are there stay as they are.
  package func load(_ workouts: [WorkoutRecord]) async throws(PostgresError) -> RowCounts {
    try await load(Self.first(workouts, by: \.id), of: workouts.count) {
      tables, piece async throws(PostgresError) in try await tables.store(piece)
    }
  }

  /// Stores periods of sleep; those that are there stay as they are.
  package func load(_ sleep: [SleepRecord]) async throws(PostgresError) -> RowCounts {
    try await load(Self.first(sleep, by: \.id), of: sleep.count) {
      tables, piece async throws(PostgresError) in try await tables.store(piece)
    }
  }

  /// - Parameter rows: each id once, so that it does not matter which piece is stored first.
  private func load<Row: Sendable>(
    _ rows: [Row], of received: Int,
    _ store: @escaping @Sendable (PostgresTables, [Row]) async throws(PostgresError) -> RowCounts
  ) async throws(PostgresError) -> RowCounts {
    let pieces = Self.pieces(rows.count, connections: pool.size).map { Array(rows[$0]) }
    let results = await withTaskGroup(of: Result<RowCounts, PostgresError>.self) { group in
      for piece in pieces {
        group.addTask {
          do throws(PostgresError) {
            return .success(try await store(self, piece))
          } catch {
            return .failure(error)
          }
        }
      }
      var results: [Result<RowCounts, PostgresError>] = []
      for await result in group {
        // What failed first is the cause; the rest need not be tried.
        if case .failure = result { group.cancelAll() }
        results.append(result)
      }
      return results
    }
    var counts = RowCounts()
    for result in results { counts += try result.get() }
    counts.received = received
    return counts
  }

  /// Parts of about the same size: few enough rows for one transaction, and work for each connection
  /// where it is worth a transaction.
  static func pieces(_ count: Int, connections: Int) -> [Range<Int>] {
    let (most, least) = (20_000, 1000)
    let pieces = max((count + most - 1) / most, min(connections, count / least), 1)
    return (0..<pieces).map { count * $0 / pieces..<count * ($0 + 1) / pieces }
  }
}
