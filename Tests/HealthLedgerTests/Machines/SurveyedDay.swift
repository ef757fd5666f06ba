import HealthModel
import ObjectStore

@testable import HealthLedger

/// A day with revisions at given seconds after noon, and what a survey of it finds.
struct SurveyedDay {
  var bodies: [RevisionID: [UInt8]] = [:]
  var pointer: RevisionID?

  init(_ drafts: [Int: DayDraft]) {
    for (seconds, draft) in drafts {
      bodies[Sample.id(seconds)] = Sample.body(draft, Sample.id(seconds))
    }
    pointer = bodies.keys.max()
  }

  /// Changes a number and leaves the digest (R60).
  mutating func damage(_ seconds: Int, _ old: String, _ new: String) {
    let text = String(decoding: bodies[Sample.id(seconds)] ?? [], as: UTF8.self)
    bodies[Sample.id(seconds)] = Array(text.replacing(old, with: new).utf8)
  }

  func survey(_ draft: DayDraft, mine: Int? = nil) -> DaySurvey.Finding {
    var survey = DaySurvey(draft, mine: mine.map { Sample.id($0) })
    var action = survey.start()
    while true {
      switch action {
      case .readPointer:
        let reading = pointer.map { id in
          PointerReading.valid(LatestPointer(date: draft.day.date, revisionID: id), ETag("p"))
        }
        action = survey.handle(.pointer(reading ?? .absent))
      case .listRevisions(let after):
        action = survey.handle(
          .revisions(bodies.keys.filter { id in after.map { id > $0 } ?? true }))
      case .readRevision(let id):
        action = survey.handle(
          .revision(bodies[id].map { .found($0, lastModified: nil) } ?? .absent))
      case .end(let finding): return finding
      }
    }
  }

  /// What a source says about the day.
  static func draft(
    _ readings: [DailyMetric: MetricReading], covers: MetricCoverage? = nil,
    by collector: Collector = Sample.collector, captured: Int = 0, keepsNewer: Bool = false,
    in zone: String = "Europe/Berlin", keptFrom: Int? = nil
  ) throws -> DayDraft {
    var draft = DayDraft(
      day: try ReportingDay(date: Sample.date(), timeZoneName: zone), collector: collector,
      readings: readings, covers: covers, capturedAt: Sample.noon.adding(seconds: captured),
      keepsNewer: keepsNewer)
    draft.keptFrom = keptFrom.map { Sample.id($0) }
    return draft
  }
}

extension DaySurvey.Finding {
  /// The draft that would become a new revision.
  var laid: DayDraft {
    get throws {
      guard case .publish(let laid) = self else { throw Unexpected(finding: self) }
      return laid
    }
  }

  private struct Unexpected: Error { let finding: DaySurvey.Finding }
}
