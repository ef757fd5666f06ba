import Foundation
import HealthModel

/// What collectors have said of a day, below a revision that was derived from it (R20, R49). Pure.
///
/// The derived revision has taken in the newest word of every collector. So a draft that says what
/// its collector, or another one, says already adds nothing, although the day shows other numbers.
struct SpokenWords: Hashable, Sendable {
  enum Verdict: Hashable, Sendable {
    /// This revision says the same.
    case same(RevisionID)
    /// What the collector said was captured later.
    case keepsNewer(RevisionID, capturedAt: Timestamp)
    /// The collector has said something else; on these metrics something newer.
    case differs(outdated: Set<DailyMetric>)
  }

  private struct Speaker: Hashable, Sendable {
    /// The newest revision on each metric that the draft covers.
    var words: [DailyMetric: ReadRevision] = [:]
    /// Whether nothing that is older counts.
    var isComplete = false
  }

  private let draft: DayDraft
  /// The derived revision. Where the draft's own collector has said nothing on a metric, the number of
  /// this revision counts: it comes from another collector or from samples.
  private var derived: ReadRevision?
  private var speakers: [UUID: Speaker] = [:]

  init(against draft: DayDraft) { self.draft = draft }

  /// Starts with the revisions below a derived one.
  mutating func begin(below derived: ReadRevision) { self.derived = derived }

  /// Adds the next lower readable revision.
  ///
  /// - Returns: the verdict, if it is clear now.
  mutating func add(_ read: ReadRevision) -> Verdict? {
    guard let collector = read.revision.collector?.collectorID, !read.revision.isDerived else {
      return nil
    }
    var speaker = speakers[collector] ?? Speaker()
    guard !speaker.isComplete else { return nil }
    defer { speakers[collector] = speaker }
    for metric in draft.covers.metrics.intersection(read.revision.covers.metrics)
    where speaker.words[metric] == nil {
      speaker.words[metric] = read
    }
    speaker.isComplete = speaker.words.count == draft.covers.metrics.count
    guard speaker.isComplete else { return nil }
    if saysSame(speaker.words), !isOvertaken(speaker.words) {
      return .same(speaker.words.values.map(\.id).max() ?? read.id)
    }
    return collector == draft.collector.collectorID ? verdict(speaker.words) : nil
  }

  /// The verdict where no older revision is left; nil if the collector has said nothing.
  var last: Verdict? {
    guard let own = speakers[draft.collector.collectorID], !own.words.isEmpty else { return nil }
    return verdict(own.words)
  }

  /// The sums that are larger in an export made after the day than in the derived revision, which was
  /// captured later. One late sample does not give a derived day all of its samples (R49). Complete once
  /// all lower revisions were added.
  var yielding: Set<DailyMetric> {
    guard let derived, isExportAfterDay else { return [] }
    let newer = speakers.values.flatMap(\.words).filter { metric, read in
      read.capturedAt > draft.capturedAt && read.revision.reading(of: metric).number != nil
    }
    return Set(
      DailyMetric.allCases.filter { metric in
        guard let said = derived.revision.reading(of: metric).number,
          let number = draft.reading(of: metric).number
        else { return false }
        return metric.growsWithTheDay && number > said
      }
    ).subtracting(newer.map(\.key))
  }

  private var isExportAfterDay: Bool {
    draft.covers == .everything && draft.capturedAt >= draft.day.end.timestamp
  }

  /// Whether a derived revision that was captured between these words and an export differs from both,
  /// although they say the same. Then the export is stored, so that it is newer than what was derived.
  private func isOvertaken(_ words: [DailyMetric: ReadRevision]) -> Bool {
    guard let derived, isExportAfterDay, derived.capturedAt <= draft.capturedAt,
      words.values.allSatisfy({ $0.capturedAt < derived.capturedAt })
    else { return false }
    return DailyMetric.allCases.contains { metric in
      derived.revision.reading(of: metric).number != nil
        && derived.revision.reading(of: metric) != draft.reading(of: metric)
    }
  }

  /// Whether one collector's words are what the draft says.
  private func saysSame(_ words: [DailyMetric: ReadRevision]) -> Bool {
    let isSaid = draft.covers.metrics.allSatisfy { metric in
      words[metric]?.revision.reading(of: metric) == draft.reading(of: metric)
    }
    guard isSaid, words.values.allSatisfy(\.conforms) else { return false }
    // If the source covers everything, its zone and its unknown members must be the same, too.
    guard draft.covers == .everything, let newest = words.values.max(by: { $0.id < $1.id }) else {
      return true
    }
    let revision = draft.revision(at: draft.capturedAt)
    return newest.revision.day == revision.day
      && newest.revision.unknownMembers == revision.unknownMembers
  }

  private func verdict(_ words: [DailyMetric: ReadRevision]) -> Verdict {
    guard draft.keepsNewer else { return .differs(outdated: []) }
    let yielding = yielding
    func word(_ metric: DailyMetric) -> ReadRevision? {
      words[metric]
        ?? derived.flatMap { $0.isSilent(on: metric) || yielding.contains(metric) ? nil : $0 }
    }
    // A damaged revision does not hold back older data: its collector must publish again (R49).
    func isNewer(_ word: ReadRevision?) -> Bool {
      word.map { !$0.isDamaged && $0.capturedAt > draft.capturedAt } ?? false
    }
    let differing = draft.covers.metrics.filter { metric in
      let said = word(metric)?.revision.reading(of: metric) ?? .noData
      return said != draft.reading(of: metric)
    }
    let outdated = differing.filter { isNewer(word($0)) }
    let deciding = differing.isEmpty ? Array(words.values) : outdated.compactMap(word)
    guard outdated == differing, deciding.allSatisfy(isNewer),
      let newest = deciding.max(by: { $0.id < $1.id })
    else { return .differs(outdated: outdated) }
    return .keepsNewer(newest.id, capturedAt: newest.capturedAt)
  }
}
