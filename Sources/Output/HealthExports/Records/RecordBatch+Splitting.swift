package import HealthModel

extension RecordBatch {
  /// The records in batches of at most so many.
  package func pieces(of size: Int) -> [RecordBatch] {
    func cut<Record>(_ records: [Record], _ make: ([Record]) -> RecordBatch) -> [RecordBatch] {
      stride(from: 0, to: records.count, by: size).map { start in
        make(Array(records[start..<min(start + size, records.count)]))
      }
    }
    return switch self {
    case .metrics(let records): cut(records) { .metrics($0) }
    case .workouts(let records): cut(records) { .workouts($0) }
    case .sleep(let records): cut(records) { .sleep($0) }
    }
  }

  /// The batch without the records that a server would refuse, and what is wrong with each of those.
  package func acceptable(in bounds: RecordBounds) -> (batch: RecordBatch, refused: [RequestFault])
  {
    func keep<Record>(
      _ records: [Record], _ make: ([Record]) -> RecordBatch
    ) -> (batch: RecordBatch, refused: [RequestFault]) {
      var (kept, refused): ([Record], [RequestFault]) = ([], [])
      for record in records {
        do throws(IngestRefusal) {
          _ = try RecordBatch(
            json: .object(["records": .array(make([record]).values)]), of: kind, in: bounds)
          kept.append(record)
        } catch {
          refused += error.faults.prefix(1)
        }
      }
      return (make(kept), refused)
    }
    return switch self {
    case .metrics(let records): keep(records) { .metrics($0) }
    case .workouts(let records): keep(records) { .workouts($0) }
    case .sleep(let records): keep(records) { .sleep($0) }
    }
  }
}
