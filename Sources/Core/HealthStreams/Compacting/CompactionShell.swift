import HealthModel
import ObjectStore

/// Performs what `CompactionMachine` asks for, on one UTC date of a stream and device (R66).
struct CompactionShell {
  private let streams: StreamStore
  private let scope: CompactionScope
  private let span: PackedSpan
  private var machine = CompactionMachine()
  private var found = FiledObjects()
  private var hasListed = false
  /// The unpacked objects that were read, while they are few.
  private var objects: [String: [UInt8]] = [:]
  private var objectBytes = 0
  /// The pack that was made last.
  private var made: (parts: [CompactionMachine.Part], pack: BatchPack)?
  /// The packs that were created, with their sizes.
  private var created: [String: Int] = [:]

  /// How many requests run at once.
  private static let width = 16
  /// The most unpacked bytes that are held beside a pack.
  private static let maximumHeldBytes = 32 << 20

  init(_ streams: StreamStore, _ scope: CompactionScope, _ span: PackedSpan) {
    (self.streams, self.scope, self.span) = (streams, scope, span)
  }

  mutating func run() async throws(StreamError) -> CompactedDate {
    var (before, bytes) = (0, 0)
    var action = machine.start()
    while true {
      switch action {
      case .list:
        action = machine.handle(.listed(try await list()))
        if !hasListed {
          hasListed = true
          before = found.batches.count + found.packs.count
          bytes = size
        }
      case .readPack(let id): action = machine.handle(.pack(try await readPack(id)))
      case .readBatches(let ids):
        action = machine.handle(.batches(try await readBatches(ids)))
      case .createPack(let parts, _):
        if scope.isDryRun { return planned(parts, before, bytes) }
        try await create(try await pack(parts))
        action = machine.handle(.created)
      case .readBack(let parts):
        let id = try await pack(parts).id
        action = machine.handle(.pack(try await readPack(id)))
      case .removeBatches(let ids):
        if !scope.isDryRun { try await remove(ids) }
        action = machine.handle(.removed)
      case .removePack(let id):
        if !scope.isDryRun { try await delete(streams.layout.key(of: place(id))) }
        action = machine.handle(.removed)
      case .finish(let outcome):
        let after = before + created.count - outcome.removedBatches - outcome.removedPacks
        return CompactedDate(
          deviceID: span.deviceID, date: span.date, outcome: outcome, objects: (before, after),
          bytes: (bytes, bytes + created.values.reduce(0, +) - removedBytes))
      }
    }
  }

  private var removedBytes = 0
  private var size: Int {
    found.batches.reduce(0) { $0 + $1.size } + found.packs.reduce(0) { $0 + $1.size }
  }

  /// What a run would do, as far as is known before anything is written.
  private func planned(
    _ parts: [CompactionMachine.Part], _ before: Int, _ bytes: Int
  ) -> CompactedDate {
    var outcome = CompactionMachine.Outcome()
    outcome.packs = 1
    outcome.packed = parts.count { $0.pack == nil }
    return CompactedDate(
      deviceID: span.deviceID, date: span.date, outcome: outcome,
      objects: (before, before + 1 - outcome.packed), bytes: (bytes, bytes))
  }

  private func place(_ pack: String) -> PackPlace {
    PackPlace(stream: span.stream, deviceID: span.deviceID, date: span.date, id: pack)
  }

  private func place(ofBatch id: String) -> StreamLayout.BatchPlace {
    StreamLayout.BatchPlace(
      stream: span.stream, deviceID: span.deviceID, date: span.date, id: id)
  }

  private func key(ofBatch id: String) -> ObjectKey {
    streams.layout.key(of: span.stream, device: span.deviceID, on: span.date, id: id)
  }

  // MARK: - Reading

  private mutating func list() async throws(StreamError) -> CompactionMachine.Listing {
    found = try await streams.filed(span.stream, span.deviceID, span.date...span.date)
    return CompactionMachine.Listing(
      smalls: found.batches.map { listed in
        .init(id: listed.place.id, isEligible: streams.eligible(listed, scope))
      },
      packs: found.packs.map { listed in
        .init(
          id: listed.place.id,
          isSettled: scope.isOld(
            listed.lastModified, age: CompactionMachine.minimumPackAge))
      })
  }

  /// Reads a pack from the store and checks all of it.
  private func readPack(
    _ id: String
  ) async throws(StreamError) -> CompactionMachine.Reading<[BatchPack.Member]> {
    switch try await streams.pack(place(id), isFresh: true) {
    case nil: return .absent
    case .failure(let fault): return .fault(fault.message)
    case .success(let pack):
      do throws(BatchFault) {
        try pack.checkAll(place(id))
        return .found(pack.members)
      } catch {
        return .fault(error.message)
      }
    }
  }

  private mutating func readBatches(
    _ ids: [String]
  ) async throws(StreamError) -> [String: CompactionMachine.Reading<BatchPack.Member>] {
    var readings: [String: CompactionMachine.Reading<BatchPack.Member>] = [:]
    (objects, objectBytes) = ([:], 0)
    for start in stride(from: 0, to: ids.count, by: Self.width) {
      let window = ids[start..<min(start + Self.width, ids.count)]
      for (id, result) in await read(window) {
        switch try result.get() {
        case nil: readings[id] = .absent
        case .failure(let fault): readings[id] = .fault(fault.message)
        case .success(let batch):
          let object = batch.object
          readings[id] = .found(BatchPack.Member(of: batch, object))
          guard objectBytes + object.count <= Self.maximumHeldBytes else { continue }
          objects[id] = object
          objectBytes += object.count
        }
      }
    }
    return readings
  }

  private typealias Read = (String, Result<Result<StoredBatch, BatchFault>?, StreamError>)

  private func read(_ ids: ArraySlice<String>) async -> [Read] {
    await withTaskGroup(of: Read.self) { group in
      for id in ids {
        let (streams, key, place) = (streams, key(ofBatch: id), place(ofBatch: id))
        group.addTask {
          // The result comes first: a tuple that is begun before an await loses its first part to the
          // optimiser (Swift 6.3).
          let result: Result<Result<StoredBatch, BatchFault>?, StreamError>
          do throws(StreamError) {
            result = .success(try await streams.read(key, at: place))
          } catch {
            result = .failure(error)
          }
          return (id, result)
        }
      }
      var results: [Read] = []
      for await result in group { results.append(result) }
      return results
    }
  }

  // MARK: - Writing

  /// The pack of these batches.
  private mutating func pack(
    _ parts: [CompactionMachine.Part]
  ) async throws(StreamError) -> BatchPack {
    if let made, made.parts == parts { return made.pack }
    var found: [(member: BatchPack.Member, object: [UInt8])] = []
    for (name, parts) in Dictionary(grouping: parts, by: \.pack) {
      var opened: BatchPack?
      if let name, case .success(let pack) = try await streams.pack(place(name)) { opened = pack }
      for part in parts { found.append((part.member, try await object(of: part, in: opened))) }
    }
    let pack = BatchPack(of: found, span)
    made = (parts, pack)
    return pack
  }

  /// The object of a batch, as it was read before.
  private func object(
    of part: CompactionMachine.Part, in pack: BatchPack?
  ) async throws(StreamError) -> [UInt8] {
    let id = part.member.id
    if part.pack != nil {
      if let found = pack?.object(of: id), found.member == part.member { return found.object }
    } else if let known = objects[id] {
      return known
    } else if case .success(let batch) = try await streams.read(
      key(ofBatch: id), at: place(ofBatch: id))
    {
      let object = batch.object
      if BatchPack.Member(of: batch, object) == part.member { return object }
    }
    throw StreamError(
      StoreError(
        .unavailable, "a batch has changed while it was packed", key: key(ofBatch: id).rawValue,
        remedy: .retry, isRetryable: true))
  }

  /// Creates a pack. Whatever the answer is: what counts is what is read back.
  private mutating func create(_ pack: BatchPack) async throws(StreamError) {
    let (key, bytes, store) = (
      streams.layout.key(of: place(pack.id)), try streams.packed(pack), streams.store
    )
    let outcome = try await StreamError.wrapping { () async throws(StoreError) in
      try await store.put(key, bytes, if: .absent)
    }
    switch outcome {
    case .stored, .unknown: created[pack.id] = bytes.count
    // Another compactor was faster.
    case .preconditionFailed: break
    }
  }

  private mutating func remove(_ ids: [String]) async throws(StreamError) {
    let spare = Set(ids)
    removedBytes += found.batches.filter { spare.contains($0.place.id) }.reduce(0) { $0 + $1.size }
    for start in stride(from: 0, to: ids.count, by: Self.width) {
      let window = ids[start..<min(start + Self.width, ids.count)]
      let failures = await withTaskGroup(of: StreamError?.self) { group in
        for id in window {
          let (store, key) = (streams.store, key(ofBatch: id))
          group.addTask {
            do throws(StoreError) { try await store.delete(key) } catch {
              return StreamError(error)
            }
            return nil
          }
        }
        return await group.reduce(into: [StreamError]()) { failures, failure in
          if let failure { failures.append(failure) }
        }
      }
      if let first = failures.first { throw first }
    }
  }

  private mutating func delete(_ key: ObjectKey) async throws(StreamError) {
    removedBytes += found.packs.first { $0.key == key }?.size ?? 0
    let store = streams.store
    try await StreamError.wrapping { () async throws(StoreError) in try await store.delete(key) }
  }
}

extension BatchPack.Member {
  /// What a pack says of a batch.
  init(of batch: StoredBatch, _ object: [UInt8]) {
    self.init(id: batch.id, bytes: object.count, order: batch.order, feed: batch.feed)
  }
}
