import CommandLineKit
import HealthLedger
import HealthModel
import Race

/// A schedule's timeline, as text for people and as the document of docs/OUTPUT.md.
struct TimelineReport {
  let timeline: Timeline

  init(_ timeline: Timeline) { self.timeline = timeline }

  func print(_ format: OutputFormat) throws(LedgerError) {
    switch format {
    case .json: try StandardStreams.write(document)
    case .text:
      try StandardStreams.writeLine(lines(.standardOutput()).joined(separator: "\n"))
    }
  }

  /// The beginning, a line for each step, and the end.
  func lines(_ terminal: Terminal) -> [String] {
    let scenario = timeline.schedule.scenario
    var lines = [terminal.styled(scenario.subject.summary, .strong)]
    lines += timeline.beginning.map { "  \($0)" }
    lines.append("")
    let whoWidth = timeline.lines.map(\.who.count).max() ?? 0
    let requestWidth = timeline.lines.map(\.request.count).max() ?? 0
    for line in timeline.lines {
      let number = String(line.number)
      let padding = String(repeating: " ", count: max(0, 3 - number.count))
      var text = "\(padding)\(number)  \(line.who.padded(to: whoWidth))  "
      text += line.answer.isEmpty ? line.request : line.request.padded(to: requestWidth) + "  "
      text += line.answer
      lines.append(text)
      if let pointer = line.pointer {
        let indent = String(repeating: " ", count: 7 + whoWidth)
        lines.append(indent + terminal.styled("latest.json is now \(pointer)", .faint))
      }
    }
    lines.append("")
    if let breach = timeline.breach {
      lines.append(terminal.styled("broken", .bad) + "  \(breach)")
    } else {
      lines.append(terminal.styled("good", .good) + "    no promise broken")
    }
    lines.append("replay  s3race replay '\(timeline.schedule.text)'")
    return lines
  }

  /// `schedule`, `steps[]`, and `broken` if a promise was broken.
  var document: JSONValue {
    var members: [String: JSONValue] = [
      "schedule": .string(timeline.schedule.text),
      "good": .bool(timeline.breach == nil),
      "beginning": .array(timeline.beginning.map { .string($0) }),
      "steps": .array(
        timeline.lines.map { line in
          var step: [String: JSONValue] = [
            "number": .number(Double(line.number)), "who": .string(line.who),
            "request": .string(line.request), "answer": .string(line.answer),
          ]
          step["pointer"] = line.pointer.map(JSONValue.string)
          return .object(step)
        }),
    ]
    members["broken"] = timeline.breach.map { .string($0.description) }
    return .object(members)
  }
}
