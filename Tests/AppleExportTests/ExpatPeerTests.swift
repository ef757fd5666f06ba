import AppleExport
import Foundation
import HealthModel
import TestSupport
import Testing

/// The stream of findings equals that of an independent reader on expat
/// (`Tests/Peers/export_expat.py`), line by line and double by double.
@Suite(.process) struct ExpatPeerTests {
  @Test func `a scan finds in the fixtures and in made-up exports what expat finds`() async throws {
    let folder = try ScratchFolder()
    var paths = try Fixture.all.map(Fixture.path)
    for options in [
      ["--dtd", "good", "--seed", "11"],
      ["--dtd", "v12", "--seed", "12", "--energy-unit", "kJ", "--offset", "-0330"],
      ["--dtd", "v13extra", "--seed", "13", "--energy-unit", "Cal", "--tz", "Asia/Kathmandu"],
      ["--dtd", "none", "--seed", "14", "--offset", "+1400", "--end", "2024-03-05"],
    ] {
      paths.append(folder.file("export-\(paths.count).xml"))
      _ = try await PeerPython.run(
        "gen_export.py", arguments: [paths[paths.count - 1], "--mb", "1", "--days", "9"] + options)
    }
    let output = try await PeerPython.run("export_expat.py", arguments: paths)
    let parts = String(decoding: output, as: UTF8.self).split(separator: "\u{C}\n")
    try #require(parts.count == paths.count)
    for (path, part) in zip(paths, parts) {
      let expected = part.split(separator: "\n").map(String.init)
      var lines = FindingLines()
      let reading = try ExportReader(path: path).read(into: &lines)
      lines.say("records", reading.records)
      #expect(lines.lines.count == expected.count, "\(path)")
      #expect(zip(lines.lines, expected).first { $0 != $1 } == nil, "\(path)")
    }
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

  mutating func take(_ finding: ExportFinding) {
    switch finding {
    case .locale(let locale): say("locale", locale)
    case .exportDate(let date): say("date", date)
    case .source(let source): say("source", source.name, source.hardware)
    case .timeZone(let zone, _, ofSleep: _): say("zone", zone)
    case .sample(let sample):
      let mark = marks[sample.mark] ?? marks.count
      marks[sample.mark] = mark
      say(
        "sample", name(sample.kind), sample.unit.rawValue,
        sample.isUserEntered ? "True" : "False", sample.source, sample.start, sample.end,
        bits(sample.value), sample.isInCorrelation ? "True" : "False", mark)
    case .workout(let workout):
      say(
        "workout", workout.activity, workout.source, workout.start, workout.end,
        digits(workout.duration), workout.unknownUnits, workout.invalidNumbers,
        WorkoutFigure.allCases.map { digits(workout.figures[$0]) }.joined(separator: "\t"))
    case .summary(let summary):
      say(
        "summary", summary.date, bits(summary.activeEnergy), bits(summary.activeEnergyGoal),
        bits(summary.exerciseMinutes), bits(summary.moveMinutes), bits(summary.standHours))
    case .skipped(let reason, let kind): say("skip", reason.rawValue, kind.map(name) ?? "-")
    case .unread: break
    }
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
