import HealthExports
import HealthLedger
import HealthModel
package import HealthStreams
package import ObjectStore

/// The stream of posted records in a store: `streams/v0/health_records/{device}/{kind}/{id}.json.gz`,
/// created once and never changed (R56).
package struct RecordArchive: Sendable {
  private let store: any ObjectStore
  private let prefix: String
  private let compression: any BatchCompression

  /// The archive beside the streams of a store.
  package init(_ streams: StreamStore, compression: any BatchCompression) {
    store = streams.store
    prefix = streams.layout.prefix + "streams/v0/health_records/"
    self.compression = compression
  }

  /// One object that a listing has found.
  package struct Listed: Hashable, Sendable {
    package let key: ObjectKey
    let deviceID: String
    let kind: RecordKind
    let id: String
  }

  // MARK: - Storing

  /// How often an object is sent whose fate is not known.
  private static let maximumSends = 5

  /// Stores a batch. Returns when it is durable.
  ///
  /// - Returns: the receipt of its first delivery: a retry can't overtake what came after it.
  package func store(_ posted: PostedRecords) async throws(StoreError) -> RecordReceipt {
    guard try await store.conditionalWrites() != .unsafe else {
      throw StoreError(
        .unsupported, "the store may replace an object that is only to be created")
    }
    let key = try key(posted.deviceID, posted.batch.kind, posted.id)
    let packed: [UInt8]
    do throws(BatchCompressionError) {
      packed = try compression.gzip([posted.object[...]])
    } catch {
      throw StoreError(.internal, "the batch can't be packed")
    }
    for _ in 0..<Self.maximumSends {
      switch try await store.put(key, packed, if: .absent) {
      case .stored: return posted.receipt
      case .preconditionFailed, .unknown:
        // Another delivery of it, or this one: the object shows which.
        guard let found = try await read(key) else { continue }
        guard let held = found.posted, held.id == posted.id else {
          throw StoreError(
            .unreadable, "an object that is not the batch has its key", key: key.rawValue)
        }
        return held.receipt
      }
    }
    throw StoreError(
      .unavailable, "the store gave no clear answer to \(Self.maximumSends) attempts",
      key: key.rawValue)
  }

  private func key(
    _ deviceID: String, _ kind: RecordKind, _ id: String
  ) throws(StoreError) -> ObjectKey {
    guard let key = ObjectKey("\(prefix)\(deviceID)/\(kind.rawValue)/\(id).json.gz") else {
      throw StoreError(.invalidRequest, "the store's prefix is too long for the keys of records")
    }
    return key
  }

  // MARK: - Reading

  /// All batches, and the keys of what is not a batch.
  package func list() async throws(StoreError) -> (batches: [Listed], foreign: [String]) {
    var (batches, foreign): ([Listed], [String]) = ([], [])
    for entry in try await store.listAll(ListRequest(prefix: prefix)) {
      if entry.obstacle == nil, let listed = Self.listed(entry.key, below: prefix) {
        batches.append(listed)
      } else {
        foreign.append(entry.key)
      }
    }
    return (batches, foreign)
  }

  private static func listed(_ text: String, below prefix: String) -> Listed? {
    guard text.hasPrefix(prefix), let key = ObjectKey(text) else { return nil }
    let parts = text.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let kind = RecordKind(rawValue: String(parts[1])),
      parts[2].hasSuffix(".json.gz")
    else { return nil }
    return Listed(
      key: key, deviceID: String(parts[0]), kind: kind, id: String(parts[2].dropLast(8)))
  }

  /// Reads a batch that was listed; nil if it is not the one of its key, or is gone.
  package func read(_ listed: Listed) async throws(StoreError) -> PostedRecords? {
    guard let posted = try await read(listed.key)?.posted, posted.id == listed.id,
      posted.deviceID == listed.deviceID, posted.batch.kind == listed.kind
    else { return nil }
    return posted
  }

  /// Nil if there is no object.
  private func read(
    _ key: ObjectKey
  ) async throws(StoreError) -> (posted: PostedRecords?, Void)? {
    guard let found = try await store.get(key, limit: PostedRecords.maximumPackedBytes) else {
      return nil
    }
    let bytes = try? compression.gunzip(found.body, limit: PostedRecords.maximumBytes)
    return (bytes.flatMap { PostedRecords(parsing: $0) }, ())
  }
}

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
