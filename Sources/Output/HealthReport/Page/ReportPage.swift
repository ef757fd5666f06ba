package import HealthLedger
package import HealthModel

/// The page of a report: one HTML document without script, that asks for nothing else.
package struct ReportPage {
  let report: RangeReport
  let reader: ReportReader
  /// How this page says what to do: the page is made by a program that has names for
  /// it.
  let words: (LedgerError.Remedy) -> String

  /// - Parameter words: the program's words for what to do; plain ones unless it has its own.
  /// - Throws: `LedgerError` INTERNAL where dates of the range are not in the report: a part is
  ///   never shown as the whole (R33).
  package init(
    _ report: RangeReport, for reader: ReportReader = ReportReader(),
    words: @escaping (LedgerError.Remedy) -> String = \.description
  ) throws(LedgerError) {
    guard report.isWhole else {
      throw LedgerError(
        .internal, "the report has \(report.days.count) of \(report.range.count) days",
        rule: "R33", remedy: "please report this as a fault of the program")
    }
    (self.report, self.reader, self.words) = (report, reader, words)
  }

  /// Whether a file begins as such a page does.
  package static func begins(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">")
      && text.firstRange(of: "<title>\(titleStart)") != nil
  }

  private static let titleStart = "Health data, "

  /// The document in UTF-8.
  package var bytes: [UInt8] {
    var html = HTMLWriter()
    html.element("html", ["lang": "en"]) { html in
      head(&html)
      html.newline()
      html.element("body", ["class": reader.kind.rawValue]) { html in
        title(&html)
        html.newline()
        html.element("main") { html in
          let groups = MetricPanel.all(of: report)
          contents(groups.map(\.group), &html)
          if isForDoctor { DoctorSection(report: report, groups: groups).write(&html) }
          MetricsSection(report: report, groups: groups).write(&html)
          LegendSection(groups: groups, units: report.units).write(&html)
          data(&html)
          CalendarSection(report: report).write(&html)
          RevisionsSection(report: report).write(&html)
          TableSection(report: report, groups: groups, isOpen: isForDoctor).write(&html)
          FindingsSection(report: report, isOpen: isForDoctor, words: words).write(&html)
        }
        footer(&html)
      }
    }
    html.newline()
    return html.bytes
  }

  private func head(_ html: inout HTMLWriter) {
    let header = RunningHeader(extent, person: reader.person)
    html.element("head") { html in
      html.meta(Self.titleStart + extent)
      html.void(
        "meta",
        [
          "http-equiv": "Content-Security-Policy",
          "content":
            "default-src 'none'; style-src '\(PageFiles.reportStylesHash)' '\(header.hash)'; "
            + "base-uri 'none'; form-action 'none'",
        ])
      html.void("meta", ["name": "referrer", "content": "no-referrer"])
      html.reportStyles()
      html.style(header)
    }
  }

  /// Where a long page has what.
  private func contents(_ groups: [MetricGroup], _ html: inout HTMLWriter) {
    guard groups.count > 1 else { return }
    let parts =
      (isForDoctor ? [("averages", "Averages")] : [])
      + groups.map { ($0.rawValue, $0.label.capitalisedFirst) }
      + [
        ("words", "Units and words"), ("data", "About the data"), ("coverage", "Coverage"),
        ("revisions", "Revisions and origins"), ("table", "As a table"), ("findings", "Findings"),
      ]
    html.element("nav", ["aria-label": "Contents"]) { html in
      for (id, name) in parts {
        html.element("a", ["href": "#\(id)"], text: name)
        html.text(" ")
      }
    }
    html.newline()
  }

  private var extent: String {
    let (from, to) = (report.range.from, report.range.to)
    return from == to ? "\(from)" : "\(from) to \(to)"
  }

  private var isForDoctor: Bool { reader.kind == .doctor }

  private func title(_ html: inout HTMLWriter) {
    html.element("header") { html in
      html.element("h1", text: "Health data")
      if let person = reader.person { html.element("p", ["class": "person"], text: person) }
      html.element(
        "p", ["class": "extent"], text: "\(extent), \(PageWords.count(report.range.count, "day"))")
    }
  }

  /// How much of it there is, how fresh it is and where it lies: behind what it says.
  private func data(_ html: inout HTMLWriter) {
    html.element("section", ["class": "appendix", "aria-labelledby": "data"]) { html in
      html.element("h2", ["id": "data"], text: "About the data")
      html.element("p", ["class": "hint"]) { html in
        html.text("From ")
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
    html.newline()
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
    guard let newest = report.newest, let days = report.daysSinceNewest else {
      return ("Newest day with data", "–", "no number in this range")
    }
    let age =
      switch days {
      case 0: "today"
      case 1: "yesterday"
      case 2...: "\(PageWords.count(days, "day")) ago"
      default: "\(PageWords.count(-days, "day")) ahead of today"
      }
    let read = newest.capturedAt ?? newest.generatedAt
    return (
      "Newest day with data", age, "\(newest.date), read \(PageWords.moment(read))"
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
        text: "Made by \(report.maker) on \(PageWords.moment(report.madeAt)); “today” is "
          + "\(report.today). This page holds health data: share it with care.")
    }
  }
}

/// For whom a report is made, and what it says of the person. Nothing is said that is not given.
package struct ReportReader: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// The person: each metric with its chart first.
    case me
    /// A doctor: averages and readings on the first page, coverage and findings in an appendix.
    case doctor
  }

  package var kind: Kind
  /// The person's name.
  package var name: String?
  /// The person's date of birth.
  package var born: CalendarDate?

  package init(_ kind: Kind = .me, name: String? = nil, born: CalendarDate? = nil) {
    (self.kind, self.name, self.born) = (kind, name, born)
  }

  /// `Ann Example, born 1970-01-31`; nil if nothing was given.
  var person: String? {
    let parts = [name, born.map { "born \($0)" }].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

/// What stands above each printed page but the first: of when the data is, and whose, if that was
/// given.
///
/// Browsers print it from the style sheet, so it is a sheet of its own with a hash of its own. Every
/// character but a few is written as its number: text can't become a rule or end the element.
struct RunningHeader {
  let sheet: String

  /// - Parameter person: nil where nothing of the person is to be said.
  init(_ extent: String, person: String?) {
    var boxes = "@top-left{content:\(Self.quoted("Health data, \(extent)"))}"
    if let person { boxes += "@top-right{content:\(Self.quoted(person.bounded(to: 90)))}" }
    sheet = "@page{\(boxes)}" + Self.first
  }

  /// The first page begins with the same words, larger.
  private static let first = "@page :first{@top-left{content:none}@top-right{content:none}}"

  /// What the page's Content-Security-Policy allows beside the sheet that every page has.
  var hash: String { PageFiles.hash(of: Array(sheet.utf8)) }

  private static func quoted(_ text: String) -> String {
    let letters = text.visible.unicodeScalars.map { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", "-", ",", ".": return String(scalar)
      default:
        let digits = String(scalar.value, radix: 16)
        return "\\" + String(repeating: "0", count: 6 - digits.count) + digits
      }
    }
    return "\"\(letters.joined())\""
  }
}
