import HealthLedger
import HealthModel

/// What `verify` finds in the same range, in its words.
struct FindingsSection {
  let report: RangeReport
  /// What to do, in the words of the program that makes the page.
  let words: (LedgerError.Remedy) -> String

  /// Most runs of missing dates that are listed one by one.
  static let maximumRuns = 50

  func write(_ html: inout HTMLWriter) {
    html.element("section", ["aria-labelledby": "findings"]) { html in
      html.element("h2", ["id": "findings"], text: "Findings")
      let groups = report.findings.ordered
      if groups.isEmpty {
        html.element("p", ["class": "none"], text: "Nothing is missing and nothing is wrong.")
      }
      for group in groups {
        html.element("article", ["class": "finding \(group.severity.rawValue)"]) { html in
          heading(group, &html)
          if group.code == FindingCode.missingDate.rawValue {
            missing(group, &html)
          } else {
            each(group, &html)
          }
        }
        html.newline()
      }
    }
  }

  private func heading(_ group: FindingDigest.Group, _ html: inout HTMLWriter) {
    html.element("h3") { html in
      html.element("span", ["class": "severity"], text: group.severity.rawValue)
      html.element("code", text: group.code)
      html.element("small", text: PageWords.count(group.count, "time"))
    }
    if let kind = FindingKind.all.first(where: { $0.code == group.code }) {
      html.element("p", ["class": "hint"], text: kind.summary)
    }
  }

  private func missing(_ group: FindingDigest.Group, _ html: inout HTMLWriter) {
    let runs = report.missingRuns
    let rule = group.findings.first.map { " [\($0.rule)]" } ?? ""
    html.element("ul", ["class": "runs"]) { html in
      for run in runs.prefix(Self.maximumRuns) {
        html.element(
          "li",
          text: (run.count == 1
            ? "\(run.first)"
            : "\(run.first) to \(run.last), \(PageWords.count(run.count, "day"))") + rule)
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
      for finding in group.findings {
        html.element("li") { html in
          let date = finding.date.map { "\($0)  " } ?? ""
          html.element("p", text: "\(date)\(finding.message) [\(finding.rule)]")
          html.element("p", ["class": "place"]) { html in
            html.element("code", text: finding.key)
            if !finding.pointer.isEmpty {
              html.text(" at ")
              html.element("code", text: finding.pointer)
            }
          }
          html.element("p", ["class": "remedy"], text: "Do: \(words(finding.remedy))")
        }
      }
      if group.count > group.findings.count {
        html.element(
          "li",
          text: "and \(PageWords.grouped(group.count - group.findings.count)) more of "
            + "\(group.code): \(words(.listFindings))")
      }
    }
  }
}
