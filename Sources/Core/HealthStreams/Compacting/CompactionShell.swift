import HealthModel
import ObjectStore

/// What of one month of a stream and device is packed.
struct CompactionPlan {
  let stream: StreamName
  let deviceID: String
  let month: PackedDates
  /// The dates whose objects are looked at.
  let dates: Set<CalendarDate>
  /// Whether these are all dates of the month, so that they go into packs of the month.
  let isWhole: Bool
}

/// Performs what `CompactionMachine` asks for, on one month of a stream and device (R66).
struct CompactionShell {
  private let streams: StreamStore
  private let scope: CompactionScope
  private let plan: CompactionPlan
  private var machine: CompactionMachine
  private var found = FiledObjects()
  private var hasListed = false
  /// The unpacked objects that were read, while they are few.
  private var objects: [BatchPack.Name: [UInt8]] = [:]
  private var objectBytes = 0
  /// The pack that was made last.
  private var made: (draft: CompactionMachine.Draft, pack: BatchPack)?
  /// The packs that were created, with their sizes.
  private var created: [String: Int] = [:]

  /// How many requests run at once.
  private static let width = 16
  /// The most unpacked bytes that are held beside a pack.
  private static let maximumHeldBytes = 32 << 20

  init(_ streams: StreamStore, _ scope: CompactionScope, _ plan: CompactionPlan) {
    (self.streams, self.scope, self.plan) = (streams, scope, plan)
    machine = CompactionMachine(isWhole: plan.isWhole)
  }

  mutating func run() async throws(StreamError) -> CompactedMonth {
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
      case .readPack(let address):
        action = machine.handle(.pack(try await readPack(address)))
      case .readBatches(let names):
        action = machine.handle(.batches(try await readBatches(names)))
      case .createPack(let draft, _):
        if !scope.isDryRun { try await create(draft) }
        action = machine.handle(.created)
      case .readBack(let draft):
        action = machine.handle(.pack(try await readBack(draft)))
      case .removeBatches(let names):
        if !scope.isDryRun { try await remove(names) }
        action = machine.handle(.removed)
      case .removePack(let address):
        if !scope.isDryRun { try await delete(streams.layout.key(of: place(address))) }
        action = machine.handle(.removed)
      case .finish(let outcome):
        // A dry run counts what would be left in the end.
        let added = scope.isDryRun ? outcome.packs - outcome.waiting : created.count
        let after = before + added - outcome.removedBatches - outcome.removedPacks
        return CompactedMonth(
          deviceID: plan.deviceID, month: plan.month, outcome: outcome, objects: (before, after),
          bytes: (bytes, bytes + created.values.reduce(0, +) - removedBytes))
      }
    }
  }

  private var removedBytes = 0
  private var size: Int {
    found.batches.reduce(0) { $0 + $1.size } + found.packs.reduce(0) { $0 + $1.size }
  }

  private func place(_ pack: BatchPack.Address) -> PackPlace {
    PackPlace(stream: plan.stream, deviceID: plan.deviceID, dates: pack.dates, id: pack.id)
  }

  private func place(of batch: BatchPack.Name) -> StreamLayout.BatchPlace {
    StreamLayout.BatchPlace(
      stream: plan.stream, deviceID: plan.deviceID, date: batch.date, id: batch.id)
  }

  private func key(of batch: BatchPack.Name) -> ObjectKey {
    streams.layout.key(of: plan.stream, device: plan.deviceID, on: batch.date, id: batch.id)
  }

  // MARK: - Reading

  private mutating func list() async throws(StreamError) -> CompactionMachine.Listing {
    let first = plan.dates.min() ?? plan.month.first
    let last = plan.dates.max() ?? first
    found = try await streams.filed(plan.stream, plan.deviceID, first...last)
    let dates = plan.dates
    found.batches.removeAll { !dates.contains($0.place.date) }
    found.packs.removeAll { !$0.place.dates.isMonth && !dates.contains($0.place.dates.first) }
    return CompactionMachine.Listing(
      smalls: found.batches.map { listed in
        .init(
          name: BatchPack.Name(listed.place.date, listed.place.id),
          isEligible: streams.eligible(listed, scope))
      },
      packs: found.packs.map { listed in
        .init(
          address: BatchPack.Address(listed.place.dates, listed.place.id),
          isSettled: scope.isOld(
            listed.lastModified, age: CompactionMachine.minimumPackAge))
      })
  }

  /// Reads a pack from the store and checks all of it.
  private func readPack(
    _ address: BatchPack.Address
  ) async throws(StreamError) -> CompactionMachine.Reading<[BatchPack.Member]> {
    switch try await streams.pack(place(address), isFresh: true) {
    case nil: return .absent
    case .failure(let fault): return .fault(fault.message)
    case .success(let pack):
      do throws(BatchFault) {
        try pack.checkAll(place(address))
        return .found(pack.members)
      } catch {
        return .fault(error.message)
      }
    }
  }

  private mutating func readBatches(
    _ names: [BatchPack.Name]
  ) async throws(StreamError) -> [BatchPack.Name: CompactionMachine.Reading<BatchPack.Member>] {
    var readings: [BatchPack.Name: CompactionMachine.Reading<BatchPack.Member>] = [:]
    (objects, objectBytes) = ([:], 0)
    for start in stride(from: 0, to: names.count, by: Self.width) {
      let window = names[start..<min(start + Self.width, names.count)]
      for (name, result) in await read(window) {
        switch try result.get() {
        case nil: readings[name] = .absent
        case .failure(let fault): readings[name] = .fault(fault.message)
        case .success(let batch):
          let object = batch.object
          readings[name] = .found(BatchPack.Member(of: batch, on: name.date, object))
          guard objectBytes + object.count <= Self.maximumHeldBytes else { continue }
          objects[name] = object
          objectBytes += object.count
        }
      }
    }
    return readings
  }

  private typealias Read = (BatchPack.Name, Result<Result<StoredBatch, BatchFault>?, StreamError>)

  private func read(_ names: ArraySlice<BatchPack.Name>) async -> [Read] {
    await withTaskGroup(of: Read.self) { group in
      for name in names {
        let (streams, key, place) = (streams, key(of: name), place(of: name))
        group.addTask {
          // The result comes first: a tuple that is begun before an await loses its first part to the
          // optimiser (Swift 6.3).
          let result: Result<Result<StoredBatch, BatchFault>?, StreamError>
          do throws(StreamError) {
            result = .success(try await streams.read(key, at: place))
          } catch {
            result = .failure(error)
          }
          return (name, result)
        }
      }
      var results: [Read] = []
      for await result in group { results.append(result) }
      return results
    }
  }

  /// Reads what was created. A dry run takes it for done.
  private mutating func readBack(
    _ draft: CompactionMachine.Draft
  ) async throws(StreamError) -> CompactionMachine.Reading<[BatchPack.Member]> {
    if scope.isDryRun { return .found(draft.parts.map(\.member)) }
    return try await readPack(BatchPack.Address(draft.dates, try await pack(draft).id))
  }

  // MARK: - Writing

  /// The pack of a draft.
  private mutating func pack(
    _ draft: CompactionMachine.Draft
  ) async throws(StreamError) -> BatchPack {
    if let made, made.draft == draft { return made.pack }
    var found: [(member: BatchPack.Member, object: [UInt8])] = []
    for (name, parts) in Dictionary(grouping: draft.parts, by: \.pack) {
      var opened: BatchPack?
      if let name, case .success(let pack) = try await streams.pack(place(name)) { opened = pack }
      for part in parts { found.append((part.member, try await object(of: part, in: opened))) }
    }
    let span = PackedSpan(stream: plan.stream, deviceID: plan.deviceID, dates: draft.dates)
    let pack = BatchPack(of: found, span)
    made = (draft, pack)
    return pack
  }

  /// The object of a batch, as it was read before.
  private func object(
    of part: CompactionMachine.Part, in pack: BatchPack?
  ) async throws(StreamError) -> [UInt8] {
    let name = part.member.name
    if part.pack != nil {
      if let found = pack?.object(of: name), found.member == part.member { return found.object }
    } else if let known = objects[name] {
      return known
    } else if case .success(let batch) = try await streams.read(
      key(of: name), at: place(of: name))
    {
      let object = batch.object
      if BatchPack.Member(of: batch, on: name.date, object) == part.member { return object }
    }
    throw StreamError(
      StoreError(
        .unavailable, "a batch has changed while it was packed", key: key(of: name).rawValue,
        remedy: .retry, isRetryable: true))
  }

  /// Creates a pack. Whatever the answer is: what counts is what is read back.
  private mutating func create(_ draft: CompactionMachine.Draft) async throws(StreamError) {
    let pack = try await pack(draft)
    let (key, bytes, store) = (
      streams.layout.key(of: place(BatchPack.Address(draft.dates, pack.id))),
      try streams.packed(pack), streams.store
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

  private mutating func remove(_ names: [BatchPack.Name]) async throws(StreamError) {
    let spare = Set(names.map { key(of: $0) })
    removedBytes += found.batches.filter { spare.contains($0.key) }.reduce(0) { $0 + $1.size }
    for start in stride(from: 0, to: names.count, by: Self.width) {
      let window = names[start..<min(start + Self.width, names.count)]
      let failures = await withTaskGroup(of: StreamError?.self) { group in
        for name in window {
          let (store, key) = (streams.store, key(of: name))
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
  init(of batch: StoredBatch, on date: CalendarDate, _ object: [UInt8]) {
    self.init(
      date: date, id: batch.id, bytes: object.count, order: batch.order,
      feed: batch.feed)
  }
}
