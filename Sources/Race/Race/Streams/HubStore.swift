import Foundation
import HealthCollector
import HealthLedger
import HealthModel
import ObjectStore

/// What a bucket holds in a race of hubs, with the table beside it.
///
/// Batch 0 has the entries 1 and 2, batch 1 the entries 2 and 4; another writer has the entry 8.
/// The figures of a day are the union of bits, so an entry that is counted twice or not at all shows.
struct HubStore: Hashable {
  struct Marker: Hashable {
    let key: String
    /// The days that it names.
    let days: [Int]
    var isOld = false
  }

  struct Revision: Hashable {
    let id: RevisionID
    /// What it shows: what the streams and the other writer say together.
    let figures: Int
    let parent: RevisionID?
    /// Whose it is: 0 for derived days, 9 for the other writer, else an instance's own.
    let author: Int
    let reading: RevisionReading

    init(_ day: Int, id: RevisionID, author: Int, body: [UInt8]) {
      (self.id, self.author, reading) = (id, author, .found(body, lastModified: nil))
      let revision = reading.decoded(date: HubStore.dates[day], id: id)?.revision
      figures = [DailyMetric.steps, .flightsClimbed].reduce(0) {
        $0 | Int(revision?.reading(of: $1).number ?? 0)
      }
      parent = revision?.parent
    }

    // The bytes follow from the rest.
    static func == (a: Self, b: Self) -> Bool {
      a.id == b.id && a.figures == b.figures && a.author == b.author && a.parent == b.parent
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(id)
      hasher.combine(figures)
      hasher.combine(author)
      hasher.combine(parent)
    }
  }

  struct Day: Hashable {
    /// By id, ascending.
    var revisions: [Revision] = []
    var pointer: RevisionID?
    var basis: DerivationBasis?
    /// The revision that the table's row shows.
    var row: RevisionID?
  }

  /// A write on its way.
  enum Write: Hashable {
    case marker(Marker)
    case part(Int)
    case revision(Int, Revision)
    /// Without a precondition in a flawed world only.
    case pointer(Int, RevisionID, Precondition?)
    /// The row of a day.
    case row(Int, RevisionID, isOrdered: Bool)
    case deletion(String)

    var name: String {
      switch self {
      case .marker(let marker): "create marker \(marker.key)"
      case .part(let batch): "create batch \(batch)"
      case .revision(let day, let revision):
        "create revision \(Self.name(revision.id)) of day \(day) with figures \(revision.figures)"
      case .pointer(let day, let id, _): "write pointer of day \(day) to \(Self.name(id))"
      case .row(let day, let id, _): "write row of day \(day) from \(Self.name(id))"
      case .deletion(let key): "delete marker \(key)"
      }
    }

    /// An id made of what distinguishes it from others here: its second and who made it.
    static func name(_ id: RevisionID) -> String {
      "\(id.timestamp.secondsSince1970 - HubStore.epoch).\(id.rawValue.suffix(1))"
    }
  }

  static let epoch = 1_800_000_000
  static let dates: [CalendarDate] = {
    let date = Timestamp(secondsSince1970: epoch).utcDate
    return [date, date.adding(days: -1) ?? date]
  }()
  static let otherAuthor = 9

  var days = [Day(), Day()]
  var batches: Set<Int> = []
  var markers: [Marker] = []
  var inFlight: [Write] = []
  /// The first promise that a write broke.
  var breach: Breach?

  /// Applies a write; false if the store refuses it.
  mutating func apply(_ write: Write) -> Bool {
    switch write {
    case .marker(let marker):
      guard !markers.contains(where: { $0.key == marker.key }) else { return false }
      markers.append(marker)
      markers.sort { $0.key < $1.key }
    case .part(let batch): return batches.insert(batch).inserted
    case .revision(let day, let revision):
      guard !days[day].revisions.contains(where: { $0.id == revision.id }) else { return false }
      days[day].revisions.append(revision)
      days[day].revisions.sort { $0.id < $1.id }
    case .pointer(let day, let id, let precondition):
      let old = days[day].pointer
      switch precondition {
      case .absent: guard old == nil else { return false }
      case .matches(let etag): guard old.map(Self.etag) == etag else { return false }
      case nil: break
      }
      if let old, id < old {
        breach = breach ?? Breach(HubOracle.pointer, "the pointer of day \(day) went backwards")
      }
      if !days[day].revisions.contains(where: { $0.id == id }) {
        breach = breach ?? Breach(HubOracle.pointer, "the pointer of day \(day) names no revision")
      }
      days[day].pointer = id
    case .row(let day, let id, let isOrdered):
      if let old = days[day].row, isOrdered, id < old { return true }
      days[day].row = id
    case .deletion(let key): markers.removeAll { $0.key == key }
    }
    return true
  }

  /// Lets twenty minutes pass for these markers.
  mutating func age(_ keys: [String]) {
    for place in markers.indices where keys.contains(markers[place].key) {
      markers[place].isOld = true
    }
  }

  static func etag(_ id: RevisionID) -> ETag { ETag(id.rawValue) }

  func pointer(_ day: Int) -> PointerReading {
    days[day].pointer.map {
      .valid(LatestPointer(date: Self.dates[day], revisionID: $0), Self.etag($0))
    } ?? .absent
  }

  func revision(_ day: Int, _ id: RevisionID) -> RevisionReading {
    days[day].revisions.first { $0.id == id }?.reading ?? .absent
  }

  /// The days that a batch touches.
  static func days(of batch: Int, _ scenario: HubScenario) -> [Int] {
    batch == 1 && scenario.touchesTwoDays ? [0, 1] : [0]
  }

  /// What batches say of a day.
  static func figures(_ day: Int, of batches: Set<Int>, _ scenario: HubScenario) -> Int {
    batches.filter { days(of: $0, scenario).contains(day) }.reduce(0) { $0 | ($1 == 0 ? 3 : 6) }
  }

  /// A draft of a day.
  static func draft(_ day: Int, figures: Int, author: Int) -> DayDraft? {
    guard let date = try? ReportingDay(date: dates[day], timeZoneName: "UTC") else { return nil }
    let isOther = author == otherAuthor
    return DayDraft(
      day: date, collector: collector(author), source: isOther ? .metricsJSON : .streams,
      readings: [isOther ? .flightsClimbed : .steps: .value(Double(figures))],
      capturedAt: Timestamp(secondsSince1970: epoch + (isOther ? 0 : figures)))
  }

  private static func collector(_ author: Int) -> Collector {
    guard author != 0 else { return .derivation }
    let byte = UInt8(author)
    let id = UUID(uuid: (byte, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, byte))
    return Collector(collectorID: id, deviceID: id)
  }
}

/// What two hubs promise.
package enum HubOracle: String, CaseIterable, Sendable {
  case stored = "acknowledged is stored"
  case figures = "day equals scratch"
  case markers = "no marker is left"
  case bounded = "revisions are bounded"
  case pointer = "pointer never goes back"
  case rows = "rows equal the ledger"
}
