import HealthCollector
package import HealthLedger
import HealthModel
import HealthSources
package import HealthStreams
import ObjectStore

/// What a recompute of a day lists and reads: batches, payloads and the basis (R49).
extension DayDeriver {
  /// The samples of batches of runs that count: kept ones, and those that are read.
  func samples(
    of batches: [ListedBatch], by stored: StoredZones
  ) async throws(LedgerError) -> [StoredSamples] {
    var (found, unread): ([StoredSamples], [ListedBatch]) = ([], [])
    for listed in batches {
      if let batch = cache?.batch(listed.key.rawValue) {
        found.append(batch)
      } else {
        unread.append(listed)
      }
    }
    for (listed, read) in await streams.samples(of: unread) {
      let result: Swift.Result<StoredSamples, BatchFault>?
      do throws(StreamError) {
        result = try read.get()
      } catch {
        throw LedgerError(error)
      }
      let batch = try Self.batch(result, of: listed)
      cache?.keep(batch, listed.key.rawValue)
      found.append(batch)
    }
    return found.filter { stored.counts($0.run) }
  }

  /// What payloads say of a day, but for those of undone runs.
  func payloads(
    _ batches: [ListedBatch], on day: ReportingDay, in zones: ReportingZones,
    without undone: Set<RunID>, into kept: inout KeptDay
  ) async throws(LedgerError) -> PostedPayloads.Found {
    let ids = Set(batches.map(\.key.rawValue))
    for isFresh in [false, true] {
      if isFresh || !kept.payloads.keys.isSubset(of: ids) { kept.payloads = PostedPayloads() }
      kept.payloads.leaveOut(undone)
      var missing = batches.filter { !kept.payloads.keys.contains($0.key.rawValue) }
      if !isFresh {
        missing.removeAll { listed in
          guard let known = read.payloads(listed.key.rawValue) else { return false }
          kept.payloads.add(known, listed.key.rawValue)
          return true
        }
      }
      var readings = streams.readings(of: missing).makeAsyncIterator()
      while let reading = try await next(&readings) {
        let posted = PostedPayload.all(in: try Self.batch(reading.result, of: reading.listed))
        read.keep(posted, reading.listed.key.rawValue)
        kept.payloads.add(posted, reading.listed.key.rawValue)
      }
      do {
        if let found = try kept.payloads.found(on: day, in: zones, metrics: metrics, read) {
          return found
        }
      } catch {
        throw LedgerError(.internal, "the payloads of \(day.date) can't be counted: \(error)")
      }
    }
    throw LedgerError(.internal, "the payloads of \(day.date) gave no numbers")
  }

  func next(
    _ readings: inout BatchReadings.AsyncIterator
  ) async throws(LedgerError) -> BatchReading? {
    do throws(StreamError) {
      return try await readings.next(isolation: nil)
    } catch {
      throw LedgerError(error)
    }
  }

  /// The batch that was read. Without it the day would be published incomplete.
  static func batch<Batch>(
    _ result: Swift.Result<Batch, BatchFault>?, of listed: ListedBatch
  ) throws(LedgerError) -> Batch {
    let key = listed.key.rawValue
    switch result {
    case .success(let batch): return batch
    case .failure(let fault):
      throw LedgerError(
        .storageUnavailable, "a batch can't be read, so its days are not derived: \(fault.message)",
        key: key,
        remedy: .text(
          "restore the object from a backup; to make the days without it, remove it and then, for each "
            + "day that stops, the object that its error names"))
    case nil:
      throw LedgerError(
        .storageUnavailable, "a batch is gone since it was listed", key: key,
        remedy: .store(.retry),
        isRetryable: true)
    }
  }

  /// The batches that can bear on a date.
  func listed(
    _ date: CalendarDate, by survey: StreamSurvey? = nil
  ) async throws(LedgerError) -> StreamListing {
    var listing = StreamListing()
    do throws(StreamError) {
      let payloads: StreamListing
      if let survey {
        listing.batches = survey.batches(for: date)
        payloads = try await streams.payloads(named: survey.payloads, touching: date)
      } else {
        listing = try await streams.batches(of: .healthKit, on: TouchedDates.filed(for: date))
        payloads = try await streams.payloads(touching: date)
      }
      listing.batches += payloads.batches
      listing.foreign += payloads.foreign
    } catch {
      throw LedgerError(error)
    }
    for entry in listing.foreign {
      if let obstacle = entry.obstacle { throw LedgerError(obstacle) }
      guard entry.key.hidesBatch else { continue }
      throw LedgerError(
        .storageUnavailable,
        "a conflict copy may hide samples, so \(date) is not derived", key: entry.key,
        remedy: "let the folder finish synchronising, or remove the copy")
    }
    return listing
  }

  // MARK: - The basis

  func basisKey(_ date: CalendarDate) -> ObjectKey? {
    ObjectKey(streams.layout.rootPrefix + ".derived/\(date)")
  }

  /// Why a day is not made of the batches that are left.
  static func lost(_ count: Int, of date: CalendarDate, basis: ObjectKey?) -> LedgerError {
    LedgerError(
      .storageUnavailable,
      "\(date) stays as it is: raw data that it was made of is gone (batches: \(count) or more)",
      key: basis?.rawValue, rule: "R49",
      remedy:
        "restore the raw data from a backup; to make the day of what is left, remove this object")
  }

  /// The basis of a day; nil if there is none.
  ///
  /// - Throws: also where there is one that can't be read: it may name a batch that was lost.
  func readBasis(_ date: CalendarDate) async throws(LedgerError) -> DerivationBasis? {
    guard let key = basisKey(date) else { return nil }
    do throws(StoreError) {
      guard let found = try await streams.store.get(key, limit: DerivationBasis.maximumBytes) else {
        return nil
      }
      if let basis = DerivationBasis(found.body) { return basis }
    } catch {
      guard error.code == .tooLarge || error.code == .unreadable else { throw LedgerError(error) }
    }
    throw LedgerError(
      .storageUnavailable,
      "\(date) stays as it is: the list of the raw data that it was made of can't be read",
      key: key.rawValue, rule: "R49",
      remedy:
        "restore the object from a backup; to make the day of what is stored now, remove it")
  }

  func write(_ basis: DerivationBasis, _ date: CalendarDate) async throws(LedgerError) {
    guard let key = basisKey(date) else { return }
    let (store, bytes) = (streams.store, basis.encoded)
    do throws(StoreError) {
      var old = try await store.get(key, limit: DerivationBasis.maximumBytes)?.etag
      if old != nil, try await store.conditionalWrites() != .compareAndSwap {
        // It can't be replaced. Anybody may remove it.
        try await store.delete(key)
        old = nil
      }
      // Whoever else writes at this moment writes what is true, too.
      if case .unknown(let error) = try await store.put(
        key, bytes, if: old.map { .matches($0) } ?? .absent)
      {
        throw error
      }
    } catch {
      throw LedgerError(error)
    }
  }
}

extension String {
  /// Whether a key that is not of the layout looks like a renamed batch or device.
  fileprivate var hidesBatch: Bool {
    utf8.split(separator: UInt8(ascii: "/")).contains { part in
      let digits = part.prefix { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
      return digits.count >= 64 || (digits.count == 8 && part.count > 36)
    }
  }
}

extension LedgerError {
  /// Streams that can't be listed or read.
  package init(_ error: StreamError) {
    if let cause = error.cause {
      self.init(cause)
    } else {
      self.init(
        .storageUnavailable, error.message, key: error.key)
    }
  }
}

/// The newest readable revision of a day, as a deriver needs it (R49).
struct NewestRevision: Sendable {
  let id: RevisionID
  let revision: DailyRevision
  /// Whether a damaged one stands above it, which has to be replaced.
  var isObstructed = false

  /// Reads it, unless it is the one that is known; nil if the day has none.
  ///
  /// - Throws: if it is damaged, and no deriver made it: nothing is derived beside numbers of which one is
  ///   wrong (R60).
  static func read(
    _ ids: Set<RevisionID>, of date: CalendarDate, in ledger: HealthLedger,
    known: NewestRevision?
  ) async throws(LedgerError) -> NewestRevision? {
    var isObstructed = false
    for id in ids.sorted(by: >) {
      if let known, known.id == id {
        return NewestRevision(id: id, revision: known.revision, isObstructed: isObstructed)
      }
      guard let read = try await ledger.decodedRevision(date, id), let revision = read.revision
      else { continue }
      guard read.isDamaged else {
        return NewestRevision(id: id, revision: revision, isObstructed: isObstructed)
      }
      guard revision.isDerived else {
        throw .damaged(id, of: date, key: ledger.layout.revisionKey(date, id).rawValue)
      }
      isObstructed = true
    }
    return nil
  }

  /// Whether the streams have ever said a number of the day.
  var hasStreamNumber: Bool {
    revision.allWords.all.contains { $0.source == .streams && $0.hasNumber }
  }

  /// Whether the streams have ever said anything of it.
  var hasStreamWord: Bool { revision.allWords.all.contains { $0.source == .streams } }

  /// The zone that another source gave the day, because a person set it.
  var setZone: String? {
    let set = revision.allWords.filter { $0.source != .streams && $0.isZoneSet }
    return Fold(set).zone
  }
}

extension LedgerError {
  /// Deriving beside a damaged revision would give its wrong number a right digest (R49, R60).
  fileprivate static func damaged(
    _ id: RevisionID, of date: CalendarDate, key: String
  ) -> LedgerError {
    LedgerError(
      .storageUnavailable,
      "revision \(id) of \(date) is damaged or was changed: nothing is derived from it", key: key,
      rule: "R60", remedy: .publish(date))
  }
}
