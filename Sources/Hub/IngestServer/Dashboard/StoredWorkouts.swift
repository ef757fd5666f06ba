import HealthExports
import HealthLedger
import HealthModel
import HealthReport
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

extension DayCourse {
  var isEmpty: Bool { heart.isEmpty && sleep.isEmpty && workouts.isEmpty }

  /// Takes the samples of the heart and of the night.
  mutating func add(_ samples: [TypedSample]) {
    var sources: [String: Int] = [:]
    var order: [SourcePriority] = []
    var night: [SleepSample] = []
    for sample in samples {
      if sample.kind == .sleepAnalysis, let value = SleepValue(rawValue: Int(sample.value)) {
        let name = "\(sample.source)|\(sample.hardware)"
        if sources[name] == nil {
          sources[name] = order.count
          order.append(
            SourcePriority(
              name: sample.source, hardware: sample.hardware,
              isUserEntered: sample.isUserEntered, preferred: []))
        }
        night.append(
          SleepSample(
            value: value, range: sample.start..<max(sample.start, sample.end),
            source: sources[name] ?? 0))
      } else if let rate = sample.unit.convert(
        sample.value, to: DailyMetric.heartRateMean.unit)
      {
        heart.append((sample.start + (sample.end - sample.start) / 2, rate))
      }
    }
    guard let window = try? DayWindow(day.date, in: day.timeZoneName), !night.isEmpty else {
      return
    }
    let stages = SleepStages(night, in: window.night, order: order)
    sleep = SleepValue.allCases.flatMap { value in
      stages.spans(of: value).map { (value, $0) }
    }
  }
}
