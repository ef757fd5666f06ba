import HealthExports
package import HealthModel

extension PostgresTables {
  /// Compares the tables with those of the older pipeline, which are only read.
  ///
  /// - Parameters:
  ///   - tolerance: how far apart a metric's numbers may be, as a part of the older one.
  ///   - dateOf: the date of a row whose moment is not a midnight of UTC.
  package func compare(
    _ dates: ClosedRange<CalendarDate>, tolerance: Double,
    dateOf: @escaping (LegacyComparison.Row) -> CalendarDate?
  ) async throws(PostgresError) -> LegacyComparison {
    // A day more at each end: zones reach that far.
    let from = "\(Timestamp(secondsSince1970: (dates.lowerBound.daysSince1970 - 1) * 86_400))"
    let to = "\(Timestamp(secondsSince1970: (dates.upperBound.daysSince1970 + 2) * 86_400))"
    let rows = try await writer.transaction { [self] transaction throws(PostgresError) in
      let owner = try clauses(transaction).condition("held")
      var rows: [(kind: RecordKind, legacy: [LegacyComparison.Row], own: [LegacyComparison.Row])] =
        []
      for kind in RecordKind.allCases {
        rows.append(
          (
            kind, try Self.rows(kind, kind.legacyTable, "", from, to, transaction),
            try Self.rows(kind, kind.table, owner, from, to, transaction)
          ))
      }
      return rows
    }
    var comparison = LegacyComparison(dates, tolerance: tolerance, dateOf: dateOf)
    for (kind, legacy, own) in rows { comparison.compare(kind, legacy: legacy, own: own) }
    return comparison
  }

  private static func rows(
    _ kind: RecordKind, _ table: String, _ owner: String, _ from: String, _ to: String,
    _ transaction: Transaction
  ) throws(PostgresError) -> [LegacyComparison.Row] {
    let (moment, columns) =
      switch kind {
      case .metrics: ("date", "timezone, type, value")
      case .workouts: ("start_time", "timezone, type, NULL")
      case .sleep: ("end_time", "NULL, value, qty")
      }
    let result = try transaction.run(
      """
      SELECT floor(extract(epoch FROM \(moment)))::bigint, \(columns) FROM \(table) AS held
      WHERE \(moment) >= $1::timestamptz AND \(moment) < $2::timestamptz\(owner)
      """, [from, to])
    return (0..<result.rowCount).compactMap { row in
      result[row, 0].flatMap { Int($0) }.map {
        LegacyComparison.Row(
          moment: $0, timeZoneName: result[row, 1], type: result[row, 2] ?? "",
          value: result[row, 3].flatMap { Double($0) })
      }
    }
  }
}
