import HealthModel
import ObjectStore

@testable import HealthLedger

/// Everything that is stored for one day, and what R20 requires of a publish over it. It reads every
/// revision, while a survey reads only what it needs.
struct PartialDay {
  struct Stored {
    let id: RevisionID
    let revision: DailyRevision
    var conforms = true
    var isDamaged = false

    /// When its data was captured, but not later than the moment of its id.
    var capturedAt: Timestamp { min(revision.capturedAt ?? revision.generatedAt, id.timestamp) }
  }

  /// What the rule requires of a publish.
  struct Demand {
    var laid: DailyRevision
    var outcome = "published"
    var moment: Timestamp?
    var excepted: Set<DailyMetric> = []
    var earlier = EarlierNumbers()
  }

  /// The ids of all revisions, including unreadable ones.
  private let ids: Set<RevisionID>
  private let pointer: RevisionID?
  /// The readable revisions, greatest id first.
  let stored: [Stored]

  init(_ bodies: [RevisionID: [UInt8]], of date: CalendarDate, pointer: RevisionID?) {
    (ids, self.pointer) = (Set(bodies.keys), pointer)
    stored = bodies.keys.sorted(by: >).compactMap { id in
      let decoded = bodies[id].map {
        DailyRevision.decode($0, date: date, id: id, boundaries: .asWritten)
      }
      guard let decoded, let revision = decoded.revision else { return nil }
      return Stored(
        id: id, revision: revision, conforms: decoded.violations.isEmpty,
        isDamaged: decoded.isDamaged)
    }
  }

  /// What the rule requires of a publish.
  func demand(_ draft: DayDraft) -> Demand {
    let readable = stored
    let isWhole = draft.covers == .everything
    let sound = readable.filter { !$0.isDamaged }
    guard let newest = sound.first else { return Demand(laid: draft.revision(at: Sample.noon)) }
    func word(_ metric: DailyMetric) -> Stored? {
      sound.first { $0.revision.covers.contains(metric) }
    }
    /// The revision that decides a metric, if the writer of the newest revision had not seen it.
    func unseen(_ metric: DailyMetric) -> Stored? {
      word(metric).flatMap { one in
        newest.revision.keptFrom.map { one.id > $0 } ?? true ? one : nil
      }
    }
    let newer = draft.covers.metrics.filter { metric in
      draft.keepsNewer && word(metric).map { $0.capturedAt > draft.capturedAt } ?? false
    }
    let isOver = readable.first?.isDamaged == true
    let isOverPointer = pointer.map { $0 > newest.id } ?? false
    func laid(without newer: Set<DailyMetric>) -> DayDraft {
      if isWhole, newer.isEmpty { return draft }
      var laid = draft
      laid.covers = .metrics(draft.covers.metrics.subtracting(newer))
      laid.keptFrom = newest.id
      var readings: [DailyMetric: MetricReading] = [:]
      for metric in DailyMetric.allCases {
        let before = (unseen(metric) ?? newest).revision.reading(of: metric)
        let covered = draft.covers.contains(metric) && !newer.contains(metric)
        readings[metric] = covered ? draft.reading(of: metric) : before
        if !draft.covers.contains(metric), before == .noData, metric.isRequired {
          readings[metric] = draft.reading(of: metric)
        }
      }
      laid.readings = readings
      laid.unknownMembers = newest.revision.unknownMembers
      for (key, value) in draft.unknownMembers {
        if case .object(let inner) = value, case .object(let there) = laid.unknownMembers[key] {
          laid.unknownMembers[key] = .object(there.merging(inner) { $1 })
        } else {
          laid.unknownMembers[key] = value
        }
      }
      let isOthers = newest.revision.collector?.collectorID != draft.collector.collectorID
      let revision = laid.revision(at: Sample.noon)
      if isOthers, revision.readings == newest.revision.readings { laid.day = newest.revision.day }
      return laid
    }
    let kept = laid(without: newer)
    var demand = Demand(laid: kept.revision(at: kept.capturedAt), excepted: newer)
    let says =
      demand.laid.hasSameData(as: newest.revision)
      && draft.covers.metrics.subtracting(newer).allSatisfy { metric in
        unseen(metric).map {
          $0.revision.reading(of: metric) == newest.revision.reading(of: metric)
        } ?? true
      }
    let differing = newer.filter { draft.reading(of: $0) != demand.laid.reading(of: $0) }
    if says, !isOver, !differing.isEmpty {
      demand.outcome = "kept_newer"
      demand.moment = newer.compactMap { word($0)?.capturedAt }.max()
    } else if says, !isOver, !isOverPointer {
      if newest.conforms {
        demand.outcome = "unchanged"
      } else {
        let all = laid(without: [])
        demand.laid = all.revision(at: all.capturedAt)
      }
    }
    let others = DailyMetric.allCases.filter { !draft.covers.contains($0) }
    let held = others.filter { demand.laid.reading(of: $0).number != nil }
    let doubtful = readable.prefix { $0.isDamaged }.map(\.revision)
    demand.earlier = EarlierNumbers(
      kept: held,
      newer: DailyMetric.allCases.filter {
        draft.covers.contains($0) && !demand.laid.covers.contains($0)
          && draft.reading(of: $0) != demand.laid.reading(of: $0)
      },
      lost: others.filter { metric in
        !held.contains(metric) && doubtful.contains { $0.reading(of: metric).number != nil }
      },
      unreadable: isWhole
        ? []
        : ids.filter { id in id > newest.id && !readable.contains { $0.id == id } }
          .sorted(by: >))
    return demand
  }
}
