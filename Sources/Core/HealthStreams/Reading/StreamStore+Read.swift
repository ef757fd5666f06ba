public import HealthModel
public import ObjectStore

extension StreamStore {
  /// Reads a batch and checks it: its size, gzip, JSON, digest, counts, entries and place (R46).
  ///
  /// - Returns: nil if there is no object; a fault if it is not a batch of that place.
  /// - Throws: `StreamError` if the store failed, so that nothing is known of the object.
  public func read(
    _ key: ObjectKey, at place: StreamLayout.BatchPlace
  ) async throws(StreamError) -> Result<StoredBatch, BatchFault>? {
    try await read(key) { (object) throws(BatchFault) in
      let batch = try StoredBatch(parsing: object)
      try batch.check(at: place)
      return batch
    }
  }

  /// Reads an object and takes what it holds. Nil if there is no object.
  func read<Value>(
    _ key: ObjectKey, as value: ([UInt8]) throws(BatchFault) -> Value
  ) async throws(StreamError) -> Result<Value, BatchFault>? {
    switch try await unpacked(key) {
    case nil: return nil
    case .failure(let fault): return .failure(fault)
    case .success(let object):
      do throws(BatchFault) {
        return .success(try value(object))
      } catch {
        return .failure(error)
      }
    }
  }

  /// The unpacked bytes of an object; nil if it is not there.
  func unpacked(_ key: ObjectKey) async throws(StreamError) -> Result<[UInt8], BatchFault>? {
    let found: StoredObject?
    do throws(StoreError) {
      found = try await store.get(key, limit: StoredBatch.maximumPackedBytes)
    } catch {
      switch error.code {
      case .tooLarge:
        return .failure(
          BatchFault(
            .tooLarge, "the object has more than \(StoredBatch.maximumPackedBytes) bytes"))
      case .unreadable: return .failure(BatchFault(.unreadable, error.message))
      default: throw StreamError(error)
      }
    }
    guard let found else { return nil }
    do throws(BatchFault) {
      return .success(try unpack(found.body))
    } catch {
      return .failure(error)
    }
  }

  private func unpack(_ bytes: [UInt8]) throws(BatchFault) -> [UInt8] {
    do throws(BatchCompressionError) {
      return try compression.gunzip(bytes, limit: StoredBatch.maximumBytes)
    } catch {
      switch error {
      case .tooLarge:
        throw BatchFault(
          .tooLarge, "the batch unpacks to more than \(StoredBatch.maximumBytes) bytes")
      case .damaged, .failed:
        throw BatchFault(.notGzip, "the object is not gzip, is cut off or is damaged")
      }
    }
  }
}

/// The listed references to the payloads that touch some dates (R55).
package struct ReferenceListing: Hashable, Sendable {
  /// A reference that stands in several folders is here several times.
  package var references: [PayloadReference] = []
  /// Objects that are not references.
  package var foreign: [ListEntry] = []
}

extension StreamStore {
  /// The stored payloads that can touch a date, of all devices (R55).
  ///
  /// What a reference names and is not stored yet is left out: it was not acknowledged.
  public func payloads(touching date: CalendarDate) async throws(StreamError) -> StreamListing {
    try await payloads(named: try await references(touching: date...date), touching: date)
  }

  /// The references to the payloads that can touch some dates. One request, unless there are many.
  package func references(
    touching dates: ClosedRange<CalendarDate>
  ) async throws(StreamError) -> ReferenceListing {
    let prefix = layout.referencesPrefix
    let folders = PayloadReference.folders(of: dates)
    var listing = ReferenceListing()
    // Start at the first month, named with its slash as in `list`. Later months follow, then the long
    // payloads.
    var request = ListRequest(
      prefix: prefix, startAfter: prefix + PayloadReference.month(dates.lowerBound) + "/")
    let end = prefix + PayloadReference.month(dates.upperBound) + "0"
    let long = prefix + PayloadReference.long + "/"
    for _ in 0..<1000 {
      let page = try await list(request)
      for entry in page.entries {
        // Something unreadable in the place of a parent folder may hide references, too.
        let found = folders.first { folder in
          let whole = prefix + folder + "/"
          return entry.key.hasBytes(whole) || entry.obstacle != nil && whole.hasBytes(entry.key)
        }
        guard let folder = found else { continue }
        if entry.obstacle == nil, let reference = layout.reference(entry.key, in: folder) {
          if reference.dates.overlaps(dates) { listing.references.append(reference) }
        } else {
          listing.foreign.append(entry)
        }
      }
      guard let next = page.next else { return listing }
      request.continuation = next
      if let last = page.entries.last?.key, !last.precedes(end), last.precedes(long) {
        request = ListRequest(prefix: long)
      }
    }
    throw StreamError(StoreError(.tooLarge, "too many payloads are named below \(prefix)"))
  }

  /// The stored payloads that can touch a date, of those that were listed.
  package func payloads(
    named listed: ReferenceListing, touching date: CalendarDate
  ) async throws(StreamError) -> StreamListing {
    var listing = StreamListing()
    listing.foreign = listed.foreign
    var named: [String: [CalendarDate: Set<String>]] = [:]
    for reference in listed.references where reference.dates.contains(date) {
      named[reference.deviceID, default: [:]][reference.filed, default: []]
        .insert(reference.batchID)
    }
    guard named.count <= Self.maximumDevices else {
      throw StreamError(
        .tooManyDevices,
        "\(StreamName.healthAutoExport.rawValue) has more than \(Self.maximumDevices) devices",
        key: layout.prefix(of: .healthAutoExport))
    }
    for (device, dates) in named.sorted(by: { $0.key < $1.key }) {
      for (filed, ids) in dates.sorted(by: { $0.key < $1.key }) {
        let found = try await batches(of: .healthAutoExport, device: device, on: filed...filed)
        listing.batches += found.batches.filter { ids.contains($0.place.id) }
        listing.foreign += found.foreign
      }
    }
    return listing
  }
}

extension String {
  fileprivate func hasBytes(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  fileprivate func precedes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

/// What a listing of markers found.
public struct MarkerListing: Hashable, Sendable {
  /// The markers, by key.
  public let markers: [ListedMarker]
  /// Objects that are not markers.
  public let foreign: [ListEntry]
}

extension StreamStore {
  /// The markers of batches whose days may not be derived yet (R49).
  ///
  /// - Parameter maximum: the most to list.
  public func markers(maximum: Int = 100_000) async throws(StreamError) -> MarkerListing {
    let request = ListRequest(prefix: layout.pendingPrefix)
    let entries = try await StreamError.wrapping { () async throws(StoreError) in
      try await store.listAll(request, maximum: maximum)
    }
    var (markers, foreign): ([ListedMarker], [ListEntry]) = ([], [])
    for entry in entries {
      if entry.obstacle == nil, let id = layout.markedBatch(entry.key),
        let key = ObjectKey(entry.key)
      {
        markers.append(ListedMarker(key: key, batchID: id, lastModified: entry.lastModified))
      } else {
        foreign.append(entry)
      }
    }
    return MarkerListing(markers: markers, foreign: foreign)
  }

  /// Reads a marker.
  ///
  /// - Returns: nil if it is gone; a failure if the object is not a marker of its key.
  public func read(
    _ marker: ListedMarker
  ) async throws(StreamError) -> Result<PendingMarker, BatchFault>? {
    let found: StoredObject?
    do throws(StoreError) {
      found = try await store.get(marker.key, limit: PendingMarker.maximumBytes)
    } catch {
      switch error.code {
      case .tooLarge: return .failure(BatchFault(.tooLarge, "the marker is too large"))
      case .unreadable: return .failure(BatchFault(.unreadable, error.message))
      default: throw StreamError(error)
      }
    }
    guard let found else { return nil }
    guard let read = PendingMarker(parsing: found.body), read.batchID == marker.batchID else {
      return .failure(BatchFault(.notABatch, "the object is not a marker of its batch"))
    }
    return .success(read)
  }

  /// Removes a marker after the days that it names were derived (R49). The caller has checked its
  /// age.
  public func delete(_ marker: ListedMarker) async throws(StreamError) {
    try await deleteMarker(marker.key)
  }

  /// Removes a marker that the caller has created itself, after its batch was confirmed and its days
  /// were derived since (R49).
  package func deleteMarker(_ key: ObjectKey) async throws(StreamError) {
    try await StreamError.wrapping { () async throws(StoreError) in
      try await store.delete(key)
    }
  }

  /// Creates a marker that names a day and no batch: it covers a recompute of the day (R49).
  ///
  /// - Parameter receivedAt: this machine's time.
  /// - Throws: `StreamError` if it is not certainly stored. A marker that is stored all the same
  ///   costs a sweep.
  package func createMarker(
    of day: ReportingDay, receivedAt: Timestamp
  ) async throws(StreamError) -> ObjectKey {
    // In the middle of the day, so that it is the same date in zones around it.
    let seconds = day.end.timestamp.secondsSince1970 - day.start.timestamp.secondsSince1970
    let noon = day.start.timestamp.adding(seconds: seconds / 2)
    return try await createMarker("\(day.date)", [noon...noon], receivedAt: receivedAt)
  }

  /// Creates a marker that names many days and no batch (R49).
  ///
  /// - Parameter runs: dates that follow one another, ascending; at least one.
  package func createMarker(
    of runs: [ClosedRange<CalendarDate>], receivedAt: Timestamp
  ) async throws(StreamError) {
    // 09:00 UTC lies on the date in zones from 9 hours behind UTC to 14 hours ahead. Further west,
    // the marker names one extra date.
    func morning(_ date: CalendarDate) -> Timestamp {
      Timestamp(secondsSince1970: date.daysSince1970 * 86_400 + 32_400)
    }
    // A sweep looks at no more dates of one span than of eleven years.
    var spans: [ClosedRange<Timestamp>] = []
    for dates in runs {
      var first: CalendarDate? = dates.lowerBound
      while let begin = first, begin <= dates.upperBound {
        let end = min(begin.adding(days: 999) ?? dates.upperBound, dates.upperBound)
        spans.append(morning(begin)...morning(end))
        first = end.adding(days: 1)
      }
    }
    let name = runs.map { "\($0.lowerBound) to \($0.upperBound)" }.joined(separator: ", ")
    _ = try await createMarker(name, EntrySpans.covering(spans), receivedAt: receivedAt)
  }

  private func createMarker(
    _ name: String, _ spans: [ClosedRange<Timestamp>], receivedAt: Timestamp
  ) async throws(StreamError) -> ObjectKey {
    let marker = PendingMarker(
      batchID: SealedBatch.digest(of: Array("recompute \(name)".utf8)), receivedAt: receivedAt,
      spans: spans)
    let key = layout.markerKey(batchID: marker.batchID, random: random())
    let outcome = try await StreamError.wrapping { () async throws(StoreError) in
      try await store.put(key, marker.bytes, if: .absent)
    }
    guard case .stored = outcome else {
      throw StreamError(
        .unanswered, "the store gave no clear answer to the marker of a recompute",
        key: key.rawValue)
    }
    return key
  }
}
