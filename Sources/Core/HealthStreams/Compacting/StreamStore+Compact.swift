package import HealthModel
import ObjectStore

/// Which batches of a stream are packed (R66).
package struct CompactionScope: Sendable {
  package let stream: StreamName
  /// Nil for all.
  package let device: String?
  /// Nil for all.
  package let dates: ClosedRange<CalendarDate>?
  /// The time by the store's clock.
  package let now: Timestamp
  /// How old a batch's date and its object are at least, in seconds.
  package let age: Int
  /// Whether nothing is written.
  package let isDryRun: Bool

  package init(
    stream: StreamName, device: String? = nil, dates: ClosedRange<CalendarDate>? = nil,
    now: Timestamp, age: Int, isDryRun: Bool = false
  ) {
    (self.stream, self.device, self.dates) = (stream, device, dates)
    (self.now, self.age, self.isDryRun) = (now, age, isDryRun)
  }

  /// The least age, in seconds: longer than any resend may take to arrive that a receiver still weighs
  /// against the first.
  package static let minimumAge = 7 * 86_400

  /// Whether every entry of a UTC date is old enough.
  func admits(_ date: CalendarDate) -> Bool {
    firstSecond(for: date).map { $0 <= now.secondsSince1970 } ?? false
  }

  /// When every entry of a UTC date is old enough.
  func firstSecond(for date: CalendarDate) -> Int? {
    guard let next = date.adding(days: 1), let start = Timestamp("\(next)T00:00:00Z") else {
      return nil
    }
    return start.secondsSince1970 + age
  }

  func isOld(_ lastModified: Int?, age: Int) -> Bool {
    guard let lastModified else { return false }
    return now.secondsSince1970 - lastModified > age
  }
}

/// What packing one month of a device gave.
package struct CompactedMonth: Sendable {
  package let deviceID: String
  package let month: PackedDates
  package let outcome: CompactionMachine.Outcome
  /// The objects before and after, and their bytes.
  package var objects: (before: Int, after: Int) = (0, 0)
  package var bytes: (before: Int, after: Int) = (0, 0)
}

/// Why a date, a month or an object was left alone before anything was read of it.
package enum LeftAlone: Hashable, Sendable {
  /// An object that is not a batch, which may hide one.
  case foreign(String)
  /// A marker names the date: its days may not be derived yet.
  case marked(String, CalendarDate)
  /// An object among the markers that can't be read, so that any date may be named.
  case unreadableMarker(String)
}

/// Dates of a stream and device that have objects to pack, but not yet.
package struct CompactionWait: Hashable, Sendable {
  package let stream: StreamName
  package let deviceID: String
  package let dates: ClosedRange<CalendarDate>
  /// How many dates they are; others may lie between them.
  package let count: Int
  /// True if the dates are old enough, but their objects were uploaded too recently.
  package let isLate: Bool
  /// When the first of them can be packed, and when all can.
  package let until: ClosedRange<Timestamp>
}

extension StreamStore {
  /// Packs the old batches of a stream, month by month, and removes what earlier runs have made spare
  /// (R66).
  ///
  /// - Parameters:
  ///   - done: takes each month that was looked at.
  ///   - left: takes what was left alone.
  ///   - waiting: called with what is not old enough yet.
  /// - Throws: `StreamError` if the store failed. Nothing is lost, and another run goes on.
  package func compact(
    _ scope: CompactionScope, done: (CompactedMonth) -> Void, left: (LeftAlone) -> Void,
    waiting: (CompactionWait) -> Void = { _ in }
  ) async throws(StreamError) {
    precondition(scope.stream != .healthAutoExport, "payloads have references, and are not packed")
    let guarantees = try await StreamError.wrapping { () async throws(StoreError) in
      try await store.conditionalWrites()
    }
    guard guarantees != .unsafe else {
      if let reason = store.unobserved() { throw StreamError(reason) }
      throw StreamError(.unsafeStore, "the store may replace an object that is only to be created")
    }
    guard let marked = try await markedDates(scope.stream, left) else { return }
    let devices =
      if let device = scope.device { [device] } else { try await devices(of: scope.stream) }
    for device in devices {
      let found = try await filed(scope.stream, device, scope.dates)
      for entry in found.foreign { left(.foreign(entry.key)) }
      // What hides a batch may hide it on any date of the device.
      guard !found.foreign.contains(where: { $0.obstacle != nil }) else { continue }
      let plans = CompactionPlans(found, scope, device, layout) { eligible($0, scope) }
      for wait in plans.waits() { waiting(wait) }
      for plan in plans.plans(marked, left) {
        var shell = CompactionShell(self, scope, plan)
        done(try await shell.run())
      }
    }
  }

  /// Whether an object of a batch is old enough, and so small that packing it gains anything.
  func eligible(_ listed: ListedBatch, _ scope: CompactionScope) -> Bool {
    listed.isSmall && scope.isOld(listed.lastModified, age: scope.age)
  }

  /// The UTC dates that markers name; nil where there may be others.
  private func markedDates(
    _ stream: StreamName, _ left: (LeftAlone) -> Void
  ) async throws(StreamError) -> [CalendarDate: String]? {
    guard stream.makesDays else { return [:] }
    let listing = try await markers()
    for entry in listing.foreign { left(.unreadableMarker(entry.key)) }
    var (dates, isKnown): ([CalendarDate: String], Bool) = ([:], listing.foreign.isEmpty)
    for marker in listing.markers {
      switch try await read(marker) {
      case nil: break
      case .failure:
        left(.unreadableMarker(marker.key.rawValue))
        isKnown = false
      case .success(let pending):
        for span in pending.spans {
          var date: CalendarDate? = span.lowerBound.utcDate
          while let next = date, next <= span.upperBound.utcDate {
            dates[next] = marker.key.rawValue
            date = next.adding(days: 1)
          }
        }
      }
    }
    return isKnown ? dates : nil
  }
}
