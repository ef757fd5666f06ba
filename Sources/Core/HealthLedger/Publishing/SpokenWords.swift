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

  let draft: DayDraft
  private var speakers: [UUID: Speaker] = [:]

  init(against draft: DayDraft) { self.draft = draft }

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
    let isOwn = collector == draft.collector.collectorID
    if draft.covers == .everything {
      speaker.isComplete = true
      if read.isWhole, read.conforms, read.revision.hasSameData(as: revision) {
        return .same(read.id)
      }
      guard isOwn else { return nil }
      let isNewer = read.isWhole && draft.keepsNewer && read.capturedAt > draft.capturedAt
      return isNewer
        ? .keepsNewer(read.id, capturedAt: read.capturedAt) : .differs(outdated: [])
    }
    for metric in draft.covers.metrics.intersection(read.revision.covers.metrics)
    where speaker.words[metric] == nil {
      speaker.words[metric] = read
    }
    speaker.isComplete = read.isWhole || speaker.words.count == draft.covers.metrics.count
    guard speaker.isComplete else { return nil }
    let said = speaker.words
    let differing = self.differing(from: said)
    if differing.isEmpty, said.values.allSatisfy(\.conforms) {
      return .same(said.values.map(\.id).max() ?? read.id)
    }
    return isOwn ? verdict(said, differing) : nil
  }

  /// The verdict where no older revision is left; nil if the collector has said nothing.
  var last: Verdict? {
    guard let own = speakers[draft.collector.collectorID], !own.words.isEmpty else { return nil }
    return verdict(own.words, differing(from: own.words))
  }

  private var revision: DailyRevision { draft.revision(at: draft.capturedAt) }

  private func differing(from words: [DailyMetric: ReadRevision]) -> Set<DailyMetric> {
    draft.covers.metrics.filter { metric in
      words[metric].map { $0.revision.reading(of: metric) != draft.reading(of: metric) } ?? true
    }
  }

  private func verdict(
    _ words: [DailyMetric: ReadRevision], _ differing: Set<DailyMetric>
  ) -> Verdict {
    guard draft.keepsNewer else { return .differs(outdated: []) }
    let newer = differing.compactMap { words[$0] }.filter { $0.capturedAt > draft.capturedAt }
    let outdated = differing.filter { words[$0].map { $0.capturedAt > draft.capturedAt } ?? false }
    guard let newest = newer.max(by: { $0.id < $1.id }), outdated == differing else {
      return .differs(outdated: outdated)
    }
    return .keepsNewer(newest.id, capturedAt: newest.capturedAt)
  }
}
