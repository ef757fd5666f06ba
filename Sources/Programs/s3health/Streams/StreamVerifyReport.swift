import CommandLineKit
import HealthLedger
import HealthModel
import HealthStreams

/// What `raw verify` found, in bounded memory whatever is found.
struct StreamVerifyReport {
  let opened: OpenedStreams
  /// The codes that don't make the command fail.
  let allowed: Set<StreamFinding.Code>

  /// The most findings that are kept; the first ones.
  private static let maximumFindings = 10_000
  /// The most findings of one code in the text.
  private static let maximumPerCode = 10

  private var findings: [StreamFinding] = []
  private var counts: [StreamFinding.Code: Int] = [:]
  private var total = StreamInspection()

  init(opened: OpenedStreams, allowed: Set<StreamFinding.Code>) {
    (self.opened, self.allowed) = (opened, allowed)
  }

  mutating func add(_ finding: StreamFinding) {
    counts[finding.code, default: 0] += 1
    if findings.count < Self.maximumFindings { findings.append(finding) }
  }

  mutating func add(_ inspection: StreamInspection) {
    total.batches += inspection.batches
    total.entries += inspection.entries
    total.bytes += inspection.bytes
  }

  /// Whether something was found that is not allowed.
  var fails: Bool { counts.keys.contains { !allowed.contains($0) } }

  private var count: Int { counts.values.reduce(0, +) }

  func lines(_ terminal: Terminal) -> [String] {
    var lines = [terminal.styled(opened.opened.name.printable, .strong) + opened.spanWords, ""]
    for code in StreamFinding.Code.allCases {
      guard let count = counts[code] else { continue }
      let shown = findings.lazy.filter { $0.code == code }.prefix(Self.maximumPerCode)
      for finding in shown { lines += text(finding, terminal) }
      if count > shown.count {
        lines.append("         and \((count - shown.count).grouped) more of \(code.word)")
      }
      lines.append("         do: \(code.remedy)")
    }
    if count > 0 { lines.append("") }
    let amount =
      "\(total.batches.grouped) \(total.batches == 1 ? "batch" : "batches"), "
      + "\(total.entries.grouped) \(total.entries == 1 ? "entry" : "entries"): "
    let verdict =
      count == 0 ? "no findings" : "\(count.grouped) \(count == 1 ? "finding" : "findings")"
    lines.append(terminal.styled(amount + verdict, fails ? .bad : .good))
    return lines
  }

  private func text(_ finding: StreamFinding, _ terminal: Terminal) -> [String] {
    let word = finding.code.isError ? "error" : "warning"
    let style: Terminal.Style = finding.code.isError ? .bad : .doubtful
    let place = [
      finding.stream?.shortName, finding.deviceID, finding.date.map { "\($0)" },
    ].compactMap { $0 }.joined(separator: " ")
    let line =
      terminal.styled(word.padded(to: 7), style) + "  "
      + "\(place.isEmpty ? "" : place + "  ")\(finding.code.word): \(finding.message)".printable
    return [line] + (finding.key.map { ["         \($0.printable)"] } ?? [])
  }

  var document: JSONValue {
    var members = opened.document
    members["batches"] = .count(total.batches)
    members["records"] = .count(total.entries)
    members["bytes"] = .count(total.bytes)
    members["ok"] = .bool(!fails)
    members["findings_omitted"] = .count(count - findings.count)
    members["findings"] = .array(
      findings.map { finding in
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return .object([
          "code": .string(finding.code.word),
          "severity": .string(finding.code.isError ? "error" : "warning"),
          "stream_name": text(finding.stream?.rawValue), "device_id": text(finding.deviceID),
          "date": text(finding.date.map { "\($0)" }), "key": text(finding.key),
          "message": .string(finding.message),
          "from": text(finding.gap.map { "\($0.lowerBound)" }),
          "to": text(finding.gap.map { "\($0.upperBound)" }),
        ])
      })
    return .object(members)
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
