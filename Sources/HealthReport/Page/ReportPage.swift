package import HealthLedger
import HealthModel

/// The page of a report: one HTML document without script, that asks for nothing else.
package struct ReportPage {
  let report: RangeReport
  /// How this page's readers are told what to do: the page is made by a program that has names for
  /// it.
  let words: (LedgerError.Remedy) -> String

  /// - Parameter words: the program's words for what to do; plain ones unless it has its own.
  /// - Throws: `LedgerError` INTERNAL where dates of the range are not in the report: a part is
  ///   never shown as the whole (R33).
  package init(
    _ report: RangeReport, words: @escaping (LedgerError.Remedy) -> String = \.description
  ) throws(LedgerError) {
    guard report.isWhole else {
      throw LedgerError(
        .internal, "the report has \(report.days.count) of \(report.range.count) days",
        rule: "R33", remedy: "please report this as a fault of the program")
    }
    self.report = report
    self.words = words
  }

  /// The document in UTF-8.
  package var bytes: [UInt8] {
    var html = HTMLWriter()
    html.element("html", ["lang": "en"]) { html in
      head(&html)
      html.newline()
      html.element("body") { html in
        title(&html)
        html.newline()
        html.element("main") { html in
          CalendarSection(report: report).write(&html)
          MetricsSection(report: report).write(&html)
          FindingsSection(report: report, words: words).write(&html)
          RevisionsSection(report: report).write(&html)
          TableSection(report: report).write(&html)
        }
        footer(&html)
      }
    }
    html.newline()
    return html.bytes
  }

  private func head(_ html: inout HTMLWriter) {
    html.element("head") { html in
      html.void("meta", ["charset": "utf-8"])
      html.void(
        "meta",
        [
          "http-equiv": "Content-Security-Policy",
          "content": "default-src 'none'; style-src '\(Stylesheet.hash)'; base-uri 'none'; "
            + "form-action 'none'",
        ])
      html.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
      html.void("meta", ["name": "color-scheme", "content": "light dark"])
      html.void("meta", ["name": "referrer", "content": "no-referrer"])
      html.void("meta", ["name": "robots", "content": "noindex"])
      html.element("title", text: "Health data, \(extent)")
      html.style(Stylesheet.text)
    }
  }

  private var extent: String {
    let (from, to) = (report.range.from, report.range.to)
    return from == to ? "\(from)" : "\(from) to \(to)"
  }

  private func title(_ html: inout HTMLWriter) {
    html.element("header") { html in
      html.element("h1", text: "Health data")
      html.element("p", ["class": "extent"]) { html in
        html.element("span", text: extent)
        html.element("bdi", text: report.storeName)
      }
      html.element("dl", ["class": "tiles"]) { html in
        for tile in tiles {
          html.element("div") { html in
            html.element("dt", text: tile.name)
            html.element("dd") { html in
              html.element("b", text: tile.value)
              html.element("small", text: tile.detail)
            }
          }
        }
      }
    }
  }

  private var tiles: [(name: String, value: String, detail: String)] {
    [coverageTile, freshnessTile, findingsTile, revisionsTile]
  }

  private var coverageTile: (name: String, value: String, detail: String) {
    let (some, all) = (report.daysWithNumbers, report.range.count)
    return (
      "Coverage", PageWords.percent(some, of: all),
      "\(PageWords.grouped(some)) of \(PageWords.count(all, "day")) with numbers"
    )
  }

  private var freshnessTile: (name: String, value: String, detail: String) {
    guard let newest = report.newest, let age = report.age else {
      return ("Freshness", "–", "no valid revision in this range")
    }
    let value =
      age >= 0
      ? "\(PageWords.age(age)) old" : "\(PageWords.age(-age)) ahead of this machine's clock"
    let captured = newest.capturedAt.map { ", of data read \(PageWords.moment($0))" } ?? ""
    return (
      "Freshness", value,
      "newest revision made \(PageWords.moment(newest.generatedAt)) for \(newest.date)\(captured)"
    )
  }

  private var findingsTile: (name: String, value: String, detail: String) {
    let counts = Finding.Severity.allCases.map { report.findings.count($0) }
    return (
      "Findings", PageWords.count(counts[0], "error"),
      "\(PageWords.count(counts[1], "warning")), \(PageWords.count(counts[2], "note"))"
    )
  }

  private var revisionsTile: (name: String, value: String, detail: String) {
    let several = report.days.count { ($0.revisions ?? 0) > 1 }
    return (
      "Revisions", PageWords.grouped(RevisionsSection.total(report)),
      "\(PageWords.count(several, "day")) published more than once"
    )
  }

  private func footer(_ html: inout HTMLWriter) {
    html.element("footer") { html in
      html.element(
        "p",
        text: "Made by \(report.maker) on \(PageWords.moment(report.madeAt)); ages count from "
          + "then. This page holds health data: share it with care.")
    }
  }
}
