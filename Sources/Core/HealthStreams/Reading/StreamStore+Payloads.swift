public import HealthModel
package import ObjectStore

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
