package import HealthModel
public import ObjectStore

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
  package func createMarker(
    of dates: ClosedRange<CalendarDate>, receivedAt: Timestamp
  ) async throws(StreamError) {
    // 09:00 UTC lies on the date in zones from 9 hours behind UTC to 14 hours ahead. Further west,
    // the marker names one extra date.
    func morning(_ date: CalendarDate) -> Timestamp {
      Timestamp(secondsSince1970: date.daysSince1970 * 86_400 + 32_400)
    }
    // A sweep looks at no more dates of one span than of eleven years.
    var spans: [ClosedRange<Timestamp>] = []
    var first: CalendarDate? = dates.lowerBound
    while let begin = first, begin <= dates.upperBound {
      let end = min(begin.adding(days: 999) ?? dates.upperBound, dates.upperBound)
      spans.append(morning(begin)...morning(end))
      first = end.adding(days: 1)
    }
    _ = try await createMarker(
      "\(dates.lowerBound) to \(dates.upperBound)", spans, receivedAt: receivedAt)
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
