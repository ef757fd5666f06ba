import HealthModel
import ObjectStore

/// The objects of a stream and device as a listing shows them: packs were not opened.
struct FiledObjects {
  /// By date and id.
  var batches: [ListedBatch] = []
  /// By date and id, those of a month after those of its dates.
  var packs: [ListedPack] = []
  var foreign: [ListEntry] = []
}

extension StreamStore {
  /// The most seconds that the part of a listing may take that shows one month, from its first date to
  /// its packs. The object of a batch is removed once its pack is older than
  /// `CompactionMachine.minimumPackAge`: so a listing that saw neither, because one came and the other
  /// went meanwhile, took longer (R66).
  static let maximumListingTime = 600

  /// The objects of a stream and device on some UTC dates, and the packs of their months; nil for all.
  func filed(
    _ stream: StreamName, _ device: String, _ dates: ClosedRange<CalendarDate>?
  ) async throws(StreamError) -> FiledObjects {
    let prefix = layout.prefix(of: stream, device: device)
    var request = ListRequest(prefix: prefix)
    if let dates {
      // With the final slash: a store that lists folder by folder, as SeaweedFS does, leaves out the
      // whole folder that is named without it.
      request.startAfter = layout.prefix(of: stream, device: device, on: dates.lowerBound)
    }
    var rest = dates.map { dates in
      (
        end: Self.end(of: layout.prefix(of: stream, device: device, on: dates.upperBound)),
        packs: layout.prefix(of: stream, device: device, month: .month(of: dates.upperBound))
      )
    }
    var found = FiledObjects()
    // When the listing came to the month that it is at.
    var (month, since): (PackedDates?, Duration) = (nil, elapsed())
    while true {
      let start = elapsed()
      let page = try await list(request)
      guard elapsed() - since < .seconds(Self.maximumListingTime) else {
        throw StreamError(
          StoreError(
            .unavailable, "listing one month took more than \(Self.maximumListingTime) seconds",
            key: prefix, remedy: .retryLater, isRetryable: true))
      }
      var (entries, isDone) = (page.entries[...], page.next == nil)
      if let (end, packs) = rest,
        let place = entries.firstIndex(where: { !Self.precedes($0.key, end) })
      {
        // Behind the last date the packs of its month are to come, which may be on this page.
        isDone = isDone || !Self.precedes(entries.last?.key ?? "", Self.end(of: packs))
        let after = entries[place...].filter { isDone && $0.key.utf8.starts(with: packs.utf8) }
        entries = entries[..<place] + after
        (rest, request) = (nil, ListRequest(prefix: packs))
      } else {
        request.continuation = page.next
      }
      for entry in entries {
        guard found.batches.count + found.packs.count + found.foreign.count < Self.maximumListed
        else { throw Self.tooMany(below: prefix) }
        let filedIn = add(entry, stream, device, to: &found)
        if let filedIn, filedIn != month { (month, since) = (filedIn, start) }
      }
      if isDone { return found }
    }
  }

  /// The least text that comes after all keys that begin with a prefix, which ends in a slash.
  private static func end(of prefix: String) -> String { prefix.dropLast() + "0" }

  private static func precedes(_ key: String, _ other: String) -> Bool {
    key.utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Adds what an entry is. Returns its month, where it has one.
  private func add(
    _ entry: ListEntry, _ stream: StreamName, _ device: String, to found: inout FiledObjects
  ) -> PackedDates? {
    guard entry.obstacle == nil, let key = ObjectKey(entry.key) else {
      found.foreign.append(entry)
      return nil
    }
    if let place = layout.place(entry.key), place.stream == stream, place.deviceID == device {
      found.batches.append(
        ListedBatch(key: key, place: place, size: entry.size, lastModified: entry.lastModified))
      return .month(of: place.date)
    }
    if let place = layout.packPlace(entry.key), place.stream == stream, place.deviceID == device {
      found.packs.append(
        ListedPack(key: key, place: place, size: entry.size, lastModified: entry.lastModified))
      return .month(of: place.dates.first)
    }
    found.foreign.append(entry)
    return nil
  }

  /// Adds what was listed, with the batches that packs have of these dates. False if a pack is gone since: then another
  /// one holds its batches, and the listing has to begin again.
  func merge(
    _ found: FiledObjects, of dates: ClosedRange<CalendarDate>?, into listing: inout StreamListing
  ) async throws(StreamError) -> Bool {
    guard !found.packs.isEmpty else {
      listing.batches += found.batches
      listing.foreign += found.foreign
      return true
    }
    var merged = MergedPacks()
    var damaged: [DamagedPack] = []
    for listed in found.packs {
      switch try await pack(listed.place) {
      case nil: return false
      case .success(let pack): merged.add(pack, listed, dates, layout)
      case .failure(let fault):
        damaged.append(DamagedPack(listed: listed, message: fault.message, code: fault.code))
      }
    }
    let (batches, spare) = merged.batches(beside: found.batches)
    listing.batches += batches
    listing.spare += spare
    listing.packs += found.packs
    listing.damaged += damaged
    listing.disputed += merged.disputed
    listing.foreign += found.foreign
    for pack in damaged {
      var entry = ListEntry(
        key: pack.listed.key.rawValue, size: pack.listed.size, etag: nil,
        lastModified: pack.listed.lastModified)
      entry.obstacle = StoreError(
        .unreadable, "a pack of batches is damaged: \(pack.message)", key: entry.key,
        remedy: "restore the object from a backup or an older version")
      listing.foreign.append(entry)
    }
    return true
  }
}

/// Puts batches of packs beside those that are objects of their own, each once (R66). Pure.
private struct MergedPacks {
  private struct Held {
    let listed: ListedBatch
    let member: BatchPack.Member
  }

  private var held: [CalendarDate: [String: Held]] = [:]
  private(set) var disputed: [ListedBatch] = []

  mutating func add(
    _ pack: BatchPack, _ listed: ListedPack, _ dates: ClosedRange<CalendarDate>?,
    _ layout: StreamLayout
  ) {
    let place = listed.place
    let total = max(1, pack.text.count)
    var end = 0
    for member in pack.members {
      if let dates, !dates.contains(member.date) {
        end += member.bytes
        continue
      }
      // Shares that add up to the size of the object.
      let start = end * listed.size / total
      end += member.bytes
      let isLast = member.name == pack.members.last?.name
      let size = (isLast ? listed.size : end * listed.size / total) - start
      let batch = StreamLayout.BatchPlace(
        stream: place.stream, deviceID: place.deviceID, date: member.date, id: member.id)
      let new = Held(
        listed: ListedBatch(
          key: layout.key(
            of: place.stream, device: place.deviceID, on: member.date, id: member.id),
          place: batch, size: size, lastModified: listed.lastModified, pack: listed),
        member: member)
      if let old = held[member.date]?[member.id] {
        if old.member.order != member.order || old.member.feed != member.feed {
          disputed.append(new.listed)
        }
        guard member.precedes(old.member) else { continue }
      }
      held[member.date, default: [:]][member.id] = new
    }
  }

  /// The batches by date, and the objects whose batches stand in packs.
  func batches(beside objects: [ListedBatch]) -> (batches: [ListedBatch], spare: [ListedBatch]) {
    var (batches, spare): ([ListedBatch], [ListedBatch]) = ([], [])
    let own = Dictionary(grouping: objects, by: \.place.date)
    for date in Set(own.keys).union(held.keys).sorted() {
      let packed = held[date] ?? [:]
      for object in own[date] ?? [] {
        if packed[object.place.id] == nil { batches.append(object) } else { spare.append(object) }
      }
      batches += packed.values.map(\.listed).sorted { a, b in
        let (first, second) = (a.pack?.place.id ?? "", b.pack?.place.id ?? "")
        return first == second ? a.place.id < b.place.id : first < second
      }
    }
    return (batches, spare)
  }
}
