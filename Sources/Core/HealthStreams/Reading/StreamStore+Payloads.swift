public import HealthModel
import ObjectStore

extension StreamStore {
  /// The stored payloads that can touch a date, of all devices (R55).
  ///
  /// What a reference names and is not stored yet is left out: it was not acknowledged.
  public func payloads(touching date: CalendarDate) async throws(StreamError) -> StreamListing {
    var listing = StreamListing()
    var named: [String: [CalendarDate: Set<String>]] = [:]
    for folder in PayloadReference.folders(of: date) {
      var request = ListRequest(prefix: layout.referencesPrefix + folder + "/")
      var pages = 0
      while true {
        let page = try await list(request)
        for entry in page.entries {
          guard entry.obstacle == nil, let reference = layout.reference(entry.key, in: folder)
          else {
            listing.foreign.append(entry)
            continue
          }
          guard reference.dates.contains(date) else { continue }
          named[reference.deviceID, default: [:]][reference.filed, default: []]
            .insert(reference.batchID)
        }
        pages += 1
        guard let next = page.next else { break }
        guard pages < 1000 else {
          throw StreamError(
            StoreError(.tooLarge, "too many payloads are named below \(request.prefix)"))
        }
        request.continuation = next
      }
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
