import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthStreams

/// `raw verify`: reads every batch and reports what is wrong.
struct StreamsVerifyCommand: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check batches for gaps, duplicates, wrong counts and foreign objects.",
    discussion: """
      Reads every batch: its size, compression, id, counts and entries. It reports objects that don't \
      belong there, pauses of more than 5 minutes in location and 1 minute in audio, entries that \
      are stored twice, and markers older than a day. It only reads. Exits with 1 if there are \
      findings. Dates are in UTC.

        s3health raw verify
        s3health raw verify 7d --allow-gaps
      """)

  @OptionGroup var options: StreamOptions

  @Flag(help: "Report gaps without failing.")
  var allowGaps = false

  @Flag(help: "Report entries that are stored twice without failing.")
  var allowDuplicates = false

  @OptionGroup var output: OutputOptions

  func result() async throws(LedgerError) -> any CommandResult {
    let opened = try options.open()
    var progress = ProgressLine("checking batch", total: nil)
    defer { progress.clear() }
    var report = StreamVerifyReport(opened)
    if allowGaps { report.allowed.insert(.gap) }
    if allowDuplicates { report.allowed.insert(.duplicates) }
    let offset = await opened.store.store.clockOffset() ?? 0
    let now = LedgerEnvironment.system.now().adding(seconds: offset)
    try await opened.run { () async throws(StreamError) in
      for stream in opened.streams {
        let inspection = try await opened.store.inspect(
          stream, on: opened.dates, device: opened.device, advance: { progress.advance() },
          report: { report.add($0) })
        report.add(inspection)
      }
      if opened.device == nil, opened.streams.count == StreamName.allCases.count {
        try await opened.store.inspectRoot { report.add($0) }
      }
      if opened.streams.contains(.healthKit) {
        try await opened.store.inspectMarkers(now: now) { report.add($0) }
      }
    }
    return report
  }
}

/// What `raw verify` found, in bounded memory whatever is found.
struct StreamVerifyReport: CommandResult, Encodable {
  let store: String
  let from, to: CalendarDate?
  private var (batches, records, bytes, findingsOmitted) = (0, 0, 0, 0)
  private var ok = true
  private var findings: [Finding] = []
  /// The codes that don't make the command fail.
  @TextOnly var allowed: Set<StreamFinding.Code> = []
  @TextOnly private var counts: [StreamFinding.Code: Int] = [:]

  struct Finding: Encodable {
    @TextOnly fileprivate var kind: StreamFinding.Code
    let code, severity, message: String
    let streamName: StreamName?
    let deviceId, key: String?
    let date: CalendarDate?
    let from, to: Timestamp?

    init(_ finding: StreamFinding) {
      (kind, code, message) = (finding.code, finding.code.word, finding.message)
      severity = finding.code.isError ? "error" : "warning"
      (streamName, deviceId) = (finding.stream, finding.deviceID)
      (date, key) = (finding.date, finding.key)
      (from, to) = (finding.gap?.lowerBound, finding.gap?.upperBound)
    }
  }

  /// The most findings that are kept; the first ones.
  private static let maximumFindings = 10_000
  /// The most findings of one code in the text.
  private static let maximumPerCode = 10

  init(_ opened: OpenedStreams) {
    (store, from, to) = (opened.opened.name, opened.from, opened.to)
  }

  mutating func add(_ finding: StreamFinding) {
    counts[finding.code, default: 0] += 1
    // 1 for something that is not allowed.
    if !allowed.contains(finding.code) { ok = false }
    if findings.count < Self.maximumFindings {
      findings.append(Finding(finding))
    } else {
      findingsOmitted += 1
    }
  }

  mutating func add(_ inspection: StreamInspection) {
    batches += inspection.batches
    records += inspection.entries
    bytes += inspection.bytes
  }

  var exitCode: ExitCode { ok ? .success : foundSomething }

  func lines(_ terminal: Terminal) -> [String] {
    var lines = [terminal.styled(store.printable, .strong) + spanWords(from, to), ""]
    for code in StreamFinding.Code.allCases {
      guard let count = counts[code] else { continue }
      let shown = findings.lazy.filter { $0.kind == code }.prefix(Self.maximumPerCode)
      for finding in shown { lines += text(finding, terminal) }
      if count > shown.count {
        lines.append("         and \((count - shown.count).grouped) more of \(code.word)")
      }
      lines.append("         do: \(code.remedy)")
    }
    let count = findings.count + findingsOmitted
    if count > 0 { lines.append("") }
    let amount = batches.counted("batch", "batches") + ", " + records.counted("entry", "entries")
    let verdict = count == 0 ? "no findings" : count.counted("finding")
    return lines + [terminal.styled("\(amount): \(verdict)", ok ? .good : .bad)]
  }

  private func text(_ finding: Finding, _ terminal: Terminal) -> [String] {
    let place = [
      finding.streamName?.shortName, finding.deviceId, finding.date.map { "\($0)" },
    ].compactMap { $0 }.joined(separator: " ")
    let line =
      terminal.styled(finding.severity.padded(to: 7), finding.kind.isError ? .bad : .doubtful)
      + "  "
      + "\(place.isEmpty ? "" : place + "  ")\(finding.code): \(finding.message)".printable
    return [line] + (finding.key.map { ["         \($0.printable)"] } ?? [])
  }
}

extension StreamFinding.Code {
  /// What to do, for a person at the command line.
  fileprivate var remedy: String {
    switch self {
    case .notABatch(.unreadable):
      "let the drive download the file, or give this user permission to read it"
    case .notABatch(.misplaced):
      "move the object to the key that its content names, or remove it"
    case .notABatch:
      "restore the object from a backup or an older version, or send its entries again"
    case .vanished: "run it again; s3health removes no batches"
    case .foreign, .foreignMarker: "move the object elsewhere"
    case .gap: "check that the collector ran; `s3health raw queue` shows what is still pending"
    case .duplicates: "nothing: readers count each entry once"
    case .oldMarker: "run `s3health collect`, which derives the days and removes the marker"
    }
  }
}
