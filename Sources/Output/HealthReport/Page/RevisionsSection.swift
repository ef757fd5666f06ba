import HealthModel

/// How often days were published again, and from where they came.
struct RevisionsSection {
  let report: RangeReport

  func write(_ html: inout HTMLWriter) {
    html.section("revisions", "Revisions and origins") { html in
      html.element("div", ["class": "columns"]) { html in
        distribution(&html)
        origins("Time zones", report.zones, &html)
        origins("Collectors and their devices", report.collectors, &html)
      }
    }
  }

  /// Revisions of the days whose number is known.
  static func total(_ report: RangeReport) -> Int {
    report.days.reduce(0) { $0 + ($1.revisions ?? 0) }
  }

  private func distribution(_ html: inout HTMLWriter) {
    let counts = report.days.compactMap(\.revisions).filter { $0 > 0 }
    let rows = (1...5).map { number in
      (
        label: number < 5 ? "\(number)" : "5 or more",
        days: counts.count { number < 5 ? $0 == number : $0 >= 5 }
      )
    }.filter { $0.days > 0 }
    let most = rows.map(\.days).max() ?? 1
    html.element("div") { html in
      html.element("h3", text: "Revisions of a day")
      guard !rows.isEmpty else {
        html.element("p", ["class": "none"], text: "None in this range")
        return
      }
      html.element("table", ["class": "bars"]) { html in
        html.columns(["revisions", "share", "days"], ["class": "unseen"])
        html.element("tbody") { html in
          for row in rows {
            html.element("tr") { html in
              html.element("th", ["scope": "row"], text: row.label)
              html.element("td", ["class": "bar"]) { html in
                html.element(
                  "svg",
                  ["viewBox": "0 0 100 10", "preserveAspectRatio": "none", "aria-hidden": "true"]
                ) { html in
                  let width = max(1, row.days * 100 / most)
                  html.element(
                    "rect", ["width": "\(width)", "height": "10", "class": "complete"]
                  ) { _ in }
                }
              }
              html.element("td", text: PageWords.count(row.days, "day"))
            }
          }
        }
      }
      if let day = report.days.max(by: { ($0.revisions ?? 0) < ($1.revisions ?? 0) }),
        let count = day.revisions, count > 1
      {
        html.element(
          "p", ["class": "hint"], text: "Most on \(day.date): \(PageWords.grouped(count))")
      }
      let unknown = report.days.count { $0.revisions == nil }
      if unknown > 0 {
        html.element(
          "p", ["class": "hint"],
          text: "\(PageWords.count(unknown, "day")) with too many to be counted")
      }
    }
  }

  private func origins(_ title: String, _ digest: OriginDigest, _ html: inout HTMLWriter) {
    html.element("div") { html in
      html.element("h3", text: title)
      let names = digest.ordered
      guard !names.isEmpty else {
        html.element("p", ["class": "none"], text: "None in this range")
        return
      }
      html.element("ul", ["class": "origins"]) { html in
        for (name, days) in names {
          html.element("li") { html in
            html.element("bdi", text: name)
            html.element("small", text: PageWords.count(days, "day"))
          }
        }
        if digest.others > 0 {
          html.element("li", text: "others: \(PageWords.count(digest.others, "day"))")
        }
      }
    }
  }
}
