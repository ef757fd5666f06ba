import AppleExport
import Foundation
import HealthModel
import TestSupport
import Testing

/// The stream of findings equals that of an independent reader on expat
/// (`Tests/Peers/export_expat.py`), line by line and double by double.
@Suite(.process) struct ExpatPeerTests {
  @Test(arguments: Fixture.all)
  func `a scan finds in the fixtures what expat finds`(fixture: String) async throws {
    try await compare(Fixture.path(fixture))
  }

  @Test(arguments: [
    ["--dtd", "good", "--seed", "11"],
    ["--dtd", "v12", "--seed", "12", "--energy-unit", "kJ", "--offset", "-0330"],
    ["--dtd", "v13extra", "--seed", "13", "--energy-unit", "Cal", "--tz", "Asia/Kathmandu"],
    ["--dtd", "none", "--seed", "14", "--offset", "+1400", "--end", "2024-03-05"],
  ])
  func `a scan finds in made-up exports what expat finds`(options: [String]) async throws {
    let folder = try ScratchFolder()
    let path = folder.file("export.xml")
    _ = try await PeerPython.run(
      "gen_export.py", arguments: [path, "--mb", "1", "--days", "9"] + options)
    try await compare(path)
  }

  private func compare(_ path: String) async throws {
    let output = try await PeerPython.run("export_expat.py", arguments: [path])
    let expected = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    var lines = FindingLines()
    let reading = try ExportReader(path: path).read(into: &lines)
    lines.say("records", reading.records)
    #expect(lines.lines.count == expected.count)
    let difference = zip(lines.lines, expected).first { $0 != $1 }
    #expect(difference == nil)
  }
}

/// Findings in the words of the Python reader.
private struct FindingLines: ExportSink {
  var lines: [String] = []
  /// Which of the marks so far: a peer has marks of its own.
  private var marks: [UInt64: Int] = [:]

  mutating func say(_ words: Any...) {
    lines.append(words.map { "\($0)" }.joined(separator: "\t"))
  }

  mutating func take(locale: String) { say("locale", locale) }
  mutating func take(exportDate: Int64) { say("date", exportDate) }
  mutating func take(source: ExportSource) { say("source", source.name, source.hardware) }
  mutating func take(timeZone: String, at start: Int64?, ofSleep: Bool) { say("zone", timeZone) }

  mutating func take(_ sample: ExportSample) {
    let mark = marks[sample.mark] ?? marks.count
    marks[sample.mark] = mark
    say(
      "sample", name(sample.kind), sample.unit.rawValue, sample.isUserEntered ? "True" : "False",
      sample.source, sample.start, sample.end, bits(sample.value),
      sample.isInCorrelation ? "True" : "False", mark)
  }

  mutating func take(_ workout: ExportWorkout) {
    say(
      "workout", workout.activity, workout.source, workout.start, workout.end,
      digits(workout.duration), workout.unknownUnits, workout.invalidNumbers,
      WorkoutFigure.allCases.map { digits(workout.figures[$0]) }.joined(separator: "\t"))
  }

  mutating func take(_ summary: ActivitySummary) {
    say(
      "summary", summary.date, bits(summary.activeEnergy), bits(summary.activeEnergyGoal),
      bits(summary.exerciseMinutes), bits(summary.moveMinutes), bits(summary.standHours))
  }

  mutating func skip(_ reason: SkipReason, _ kind: SampleKind?) {
    say("skip", reason.rawValue, kind.map(name) ?? "-")
  }

  /// The identifier without what all identifiers begin with.
  private func name(_ kind: SampleKind) -> String { String(kind.identifier.dropFirst(24)) }

  /// Twelve digits: the last bits of a conversion are not compared.
  private func digits(_ value: Double?) -> String {
    value.map { String(format: "%.12g", $0) } ?? "-"
  }

  private func bits(_ value: Double?) -> String {
    guard let value else { return "-" }
    let digits = String(value.bitPattern, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
