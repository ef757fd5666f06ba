import CommandLineKit
import HealthLedger
import HealthModel
import StreamRaces

/// One run of the world of hubs, request by request (`race replay --world hubs`).
struct HubRunReport {
  let breach: String?
  private let title: String
  private let steps: [String]

  init(seed: UInt64, _ flaw: HubFlaw, isShrunk: Bool) {
    let (start, played) = StreamRace.hubRun(seed, flaw: flaw)
    let run = isShrunk ? played.shrunk(of: start) : played
    (breach, steps) = (run.breach, run.lines(from: start))
    title =
      flaw == .none
      ? "two hubs and a sweeper: \(StreamRace.randomHubs(seed).name)"
      : "broken on purpose: \(flaw.summary)"
  }

  func print(_ format: OutputFormat) throws(LedgerError) {
    switch format {
    case .json:
      var members: [String: JSONValue] = [
        "world": .string("hubs"), "good": .bool(breach == nil),
        "steps": .array(steps.map(JSONValue.string)),
      ]
      members["broken"] = breach.map(JSONValue.string)
      try StandardStreams.write(.object(members))
    case .text:
      let terminal = Terminal.standardOutput()
      let width = "\(steps.count)".count
      let lines = steps.enumerated().map { number, step in
        let text = "\(number + 1)"
        return "  " + String(repeating: " ", count: width - text.count) + text + "  " + step
      }
      let verdict =
        breach.map { terminal.styled("broken", .bad) + "  \($0)" }
        ?? terminal.styled("good", .good) + "    no promise broken"
      try StandardStreams.writeLine(
        ([terminal.styled(title, .strong)] + lines + ["", verdict]).joined(separator: "\n"))
    }
  }
}
