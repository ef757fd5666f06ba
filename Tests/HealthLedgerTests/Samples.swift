import Foundation
import HealthModel
import Testing

@testable import HealthLedger

/// The day, the drafts and the ids that the ledger's tests are about.
enum Sample {
  static let collector = Collector(
    collectorID: UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16)),
    deviceID: UUID(uuid: (16, 15, 14, 13, 12, 11, 0x4A, 9, 0x88, 7, 6, 5, 4, 3, 2, 1)))

  /// 2026-03-10T12:00:00Z, when tests publish unless they say otherwise.
  static let noon = Timestamp(secondsSince1970: 1_773_144_000)

  static func date(_ text: String = "2026-03-10") throws -> CalendarDate {
    try #require(CalendarDate(text))
  }

  /// A day's data that differs from another's by its steps.
  static func draft(
    steps: Double, on date: String = "2026-03-10", capturedAt: Timestamp = noon
  ) throws -> DayDraft {
    try draft(steps: steps, on: self.date(date), capturedAt: capturedAt)
  }

  static func draft(
    steps: Double, on date: CalendarDate, capturedAt: Timestamp = noon
  ) throws -> DayDraft {
    var draft = DayDraft(
      day: try ReportingDay(date: date, timeZoneName: "Europe/Berlin"), collector: collector,
      readings: [.steps: .value(steps)], capturedAt: capturedAt)
    // Drafts of the same moment follow one another, as those of a source that is read now.
    draft.isReadNow = capturedAt == noon
    return draft
  }

  /// Another source's word of the same day.
  static func energy(_ number: Double, capturedAt: Timestamp = noon) throws -> DayDraft {
    DayDraft(
      day: try ReportingDay(date: date(), timeZoneName: "Europe/Berlin"), collector: collector,
      source: .healthAutoExport, readings: [.activeEnergy: .value(number)], capturedAt: capturedAt)
  }

  /// An id so many seconds after noon.
  static func id(_ seconds: Int, entropy: UInt32 = 0xABCDEF) -> RevisionID {
    RevisionID(at: noon.adding(seconds: seconds), entropy: entropy)
  }

  /// The id that a draft gets at noon, on a store with compare-and-swap and a day without revisions.
  static func id(of draft: DayDraft) -> RevisionID {
    id(0, entropy: draft.revision(at: noon).idSuffix)
  }

  /// The stored bytes of a valid revision of `draft` under `id`.
  static func body(_ draft: DayDraft, _ id: RevisionID) -> [UInt8] {
    draft.revision(at: id.timestamp).encoded
  }

  static func found(_ draft: DayDraft, _ id: RevisionID) -> RevisionReading {
    .found(body(draft, id), lastModified: nil)
  }

  /// A stored document after a change, as a program without digests (R60) would have written it.
  static func text(_ body: [UInt8], changed: (String) -> String = { $0 }) -> [UInt8] {
    let text = String(decoding: body, as: UTF8.self)
      .replacing(/"digest":"sha256:[0-9a-f]{64}",/, with: "")
    return Array(changed(text).utf8)
  }

  static let rubbish = RevisionReading.found(Array("{}".utf8), lastModified: nil)
}
