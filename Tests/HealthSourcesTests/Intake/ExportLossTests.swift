import Foundation
import HealthLedger
import HealthModel
import TestSupport
import Testing

@testable import HealthSources

/// What is said of records of an export that are in no day, or can't be read.
@Suite(.unit) struct ExportLossTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private let export = InputTests.export

  private func file(_ text: String) throws -> URL {
    let file = folder.url.appending(path: "export.xml")
    try Data(text.utf8).write(to: file)
    return file
  }

  private var request: Input.Request {
    Input.Request(
      in: ZoneSetting(given: "Europe/Berlin", origin: "the test"), at: Timestamp.testNow)
  }

  /// The export with a record of steps like its own, changed.
  private func export(beside change: (String) -> String) -> String {
    let own = export.split(separator: "\n").first { $0.contains("<Record") }.map(String.init) ?? ""
    return export.replacing(own, with: own + "\n" + change(own))
  }

  @Test(arguments: [
    ("value=\"100\"", "value=\"1,000\"", ["line 6, value: \"1,000\""], "unsupported"),
    (
      "2026-02-08 10:00:00", "2026-02-08 1:00:00 PM",
      ["line 6, date: \"2026-02-08 1:00:00 PM +0100\"", "24-Hour Time"], "unsupported"
    ),
    (
      "2026-02-08 10:", "٢٠٢٦-٠٢-٠٨ ١٠:",
      ["1 record can't be read", "Language & Region > Numbers"],
      "100.0"
    ),
    ("2026-02-08", "1404-11-19", ["1 record left out: dated before 1900", "Gregorian"], "100.0"),
    (
      "StepCount", "Tomorrow", ["1 record of types that no metric uses: ", "Tomorrow (1)"], "100.0"
    ),
  ])
  func `R18: put and collect name the records of an export that are in no day`(
    old: String, new: String, phrases: [String], steps: String
  ) throws {
    let path = try file(export(beside: { $0.replacing(old, with: new) }))
    let date = try #require(CalendarDate("2026-02-08"))
    for selection in [DaySelection.all, .dates(date...date)] {
      let selected = try Input(path.path).days(selection, request)
      let notes = selected.notes.map { note in
        if case .text(let text) = note { text } else { "" }
      }.joined(separator: "\n")
      for phrase in phrases { #expect(notes.contains(phrase), "\(notes)") }
      #expect(
        SourceResult(days: selected.days).table["2026-02-08"]?["steps"] == steps, "\(notes)")
    }
  }

  @Test(arguments: [("2026-02-08 10", "1404-11-19 10"), ("10:00 +0100", "10:00 PM +0100")])
  func
    `an export of which nothing can be read is refused with the setting, whatever date is asked for`(
      old: String, new: String
    ) throws
  {
    let text = export.replacing(
      "startDate=\"2026-02-08 10:00:00 +0100", with: "startDate=\"2026-02-08 10:10:00 +0100")
    let path = try file(text.replacing(old, with: new))
    let date = try #require(CalendarDate("2026-02-08"))
    for selection in [DaySelection.all, .dates(date...date)] {
      let error = #expect(throws: LedgerError.self) {
        try Input(path.path).days(selection, request)
      }
      #expect(error?.code == .dataNotFound)
      let details = error.map { "\($0.details)" } ?? ""
      #expect(details.contains("Settings > General"), "\(details)")
    }
  }
}
