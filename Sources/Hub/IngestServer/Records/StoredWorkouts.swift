import HealthExports
import HealthLedger
import HealthModel
import ObjectStore

/// The workouts that were posted as records (R56), read once: an object of the archive never changes.
actor StoredWorkouts {
  private var known: Set<ObjectKey> = []
  private var workouts: [String: (workout: Workout, receivedAt: PreciseMoment)] = [:]

  /// The most batches that are read, so that memory stays bounded.
  private static let mostBatches = 5000

  /// Those that begin on a day.
  func of(_ day: ReportingDay, in archive: RecordArchive) async throws(LedgerError) -> [Workout] {
    do throws(StoreError) {
      let batches = try await archive.list().batches.filter {
        $0.kind == .workouts && !known.contains($0.key)
      }
      for listed in batches where known.count < Self.mostBatches {
        let posted = try await archive.read(listed)
        known.insert(listed.key)
        guard let posted, case .workouts(let records) = posted.batch else { continue }
        for record in records {
          if let held = workouts[record.id], held.receivedAt > posted.receivedAt { continue }
          workouts[record.id] = (Workout(record), posted.receivedAt)
        }
      }
    } catch {
      throw LedgerError(error)
    }
    let range = day.start.timestamp.secondsSince1970..<day.end.timestamp.secondsSince1970
    return workouts.values.map(\.workout).filter { range.contains(Int($0.start)) }
  }
}

extension Workout {
  /// A posted row, with its numbers in their units.
  fileprivate init(_ record: WorkoutRecord) {
    var figures: [WorkoutFigure: Double] = [:]
    for figure in WorkoutFigure.allCases {
      figures[figure] = record.metrics[figure.recordKey].flatMap {
        figure.recordUnit.convert($0, to: figure.unit)
      }
    }
    self.init(
      id: record.id, activity: record.type,
      start: Int64(record.start.timestamp.secondsSince1970),
      end: Int64(record.end.timestamp.secondsSince1970),
      duration: record.durationSeconds.map(Double.init), source: "", figures: figures)
  }
}
