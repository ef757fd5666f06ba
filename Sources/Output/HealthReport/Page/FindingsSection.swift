import HealthLedger
import HealthModel

/// What `verify` finds in the same range, in its words.
struct FindingsSection {
  let report: RangeReport
  /// Whether the entries are open, and so printed.
  let isOpen: Bool
  /// What to do, in the words of the program that makes the page.
  let words: (LedgerError.Remedy) -> String

  /// Most runs of missing dates that are listed one by one.
  static let maximumRuns = 50

  /// Most runs of dates that an entry names.
  static let maximumRunsOfEntry = 8

  func write(_ html: inout HTMLWriter) {
    html.section("findings", "Findings") { html in
      let groups = report.findings.ordered
      html.element(
        "p", ["class": groups.isEmpty ? "none" : "hint"],
        text: groups.isEmpty
          ? "Nothing is missing and nothing is wrong."
          : "What a check of the stored documents met: of use to who keeps the data.")
      for group in groups {
        html.element("article", ["class": "finding \(group.severity.rawValue)"]) { html in
          html.element("details", isOpen ? ["open": ""] : [:]) { html in
            heading(group, &html)
            if group.code == FindingCode.missingDate.rawValue {
              missing(group, &html)
            } else {
              each(group, &html)
            }
          }
        }
        html.newline()
      }
    }
  }

  private func heading(_ group: FindingDigest.Group, _ html: inout HTMLWriter) {
    html.element("summary") { html in
      html.element("span", ["class": "severity"], text: group.severity.rawValue)
      html.text(" ")
      html.element("code", text: group.code)
      html.text(" ")
      html.element("small", text: PageWords.count(group.count, "time"))
      if let kind = FindingKind.all.first(where: { $0.code == group.code }) {
        html.text(" ")
        html.element("span", ["class": "hint"], text: kind.summary)
      }
    }
  }

  private func missing(_ group: FindingDigest.Group, _ html: inout HTMLWriter) {
    let runs = report.missingRuns
    let rule = group.entries.first.map { " [\($0.first.rule)]" } ?? ""
    html.element("ul", ["class": "runs"]) { html in
      for run in runs.prefix(Self.maximumRuns) {
        html.element("li", text: PageWords.run(run) + rule)
      }
      if runs.count > Self.maximumRuns {
        html.element(
          "li",
          text: "and \(PageWords.count(runs.count - Self.maximumRuns, "more run")) of missing "
            + "dates: the calendar shows them all")
      }
    }
    html.element("p", ["class": "remedy"], text: "Do: \(words(.publishEach))")
  }

  private func each(_ group: FindingDigest.Group, _ html: inout HTMLWriter) {
    html.element("ul") { html in
      for entry in group.entries {
        let finding = entry.first
        html.element("li") { html in
          html.element("p") { html in
            let dates = dates(of: entry)
            if !dates.isEmpty {
              html.element("b", text: dates)
              html.text("  ")
            }
            html.text("\(finding.message) [\(finding.rule)]")
          }
          html.element("p", ["class": "place"]) { html in
            if entry.count > 1 { html.text("first in ") }
            html.element("code", text: finding.key)
            if !finding.pointer.isEmpty {
              html.text(" at ")
              html.element("code", text: finding.pointer)
            }
          }
          html.element("p", ["class": "remedy"], text: "Do: \(words(finding.remedy))")
        }
      }
      if group.others > 0 {
        html.element(
          "li",
          text: "and \(PageWords.grouped(group.others)) more of \(group.code): "
            + words(.listFindings))
      }
    }
  }

  /// The dates of a fault, neighbours joined.
  private func dates(of entry: FindingDigest.Entry) -> String {
    let runs = entry.dates.runs
    let named = runs.prefix(Self.maximumRunsOfEntry).map(PageWords.run)
    let more = runs.count - named.count
    return named.joined(separator: "; ")
      + (more > 0 ? "; and \(PageWords.count(more, "more run")) of dates" : "")
  }
}
