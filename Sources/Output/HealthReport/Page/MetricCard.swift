import HealthModel

/// The card of a panel: its mean, its chart, and what is to be said of its numbers.
struct MetricCard {
  let panel: MetricPanel
  let report: RangeReport
  /// Whether of the facts only the change is said.
  var isBrief = false
  /// Where the title leads, if it does.
  var address: String?

  private var unit: PersonUnit { panel.unit }
  private var days: Int { report.days.count }

  func write(_ html: inout HTMLWriter) {
    let domain = panel.metric.group.domain
    html.element(
      "article", ["class": panel.series.count > 3 ? "card wide \(domain)" : "card \(domain)"]
    ) { html in
      html.element("h3") { html in
        if let address {
          html.element("a", ["href": address], text: panel.title)
        } else {
          html.text(panel.title)
        }
      }
      headline(&html)
      if panel.isSparse {
        list(&html)
      } else {
        MetricChart(panel, report)?.write(&html)
        if panel.series.count > 1 { key(&html) }
      }
      if panel.count > 1 {
        if panel.series.count == 1 { facts(panel.series[0], &html) } else { table(&html) }
      }
      html.element("p", ["class": "gaps"], text: coverage)
    }
    html.newline()
  }

  /// The means of the range in large letters.
  func headline(_ html: inout HTMLWriter) {
    let means = panel.series.map(\.mean)
    html.element("p", ["class": "last"]) { html in
      guard means.contains(where: { $0 != nil }) else {
        html.element("small", text: "no number that counts")
        return
      }
      if panel.isStacked {
        // Time awake is shown with the stages of sleep, and is not sleep.
        let parts = zip(panel.series, panel.names).filter { $0.0.metric != .sleepAwake }
        let total = Mean(
          panel.series[0].values.indices.map { place in
            let numbers = parts.compactMap { $0.0.values[place] }
            return numbers.isEmpty ? nil : numbers.reduce(0, +)
          })
        html.element("b", text: total.map { unit.bare($0.value) } ?? "–")
        html.text(" ")
        html.element(
          "small",
          text: "\(parts.map(\.1).joined(separator: ", ")) together; \(panel.period)mean of "
            + PageWords.count(total?.count ?? 0, "day"))
        return
      }
      let numbers = means.map { $0.map { unit.bare($0.value) } ?? "–" }
      html.element("b", text: numbers.joined(separator: panel.series.count == 2 ? "/" : " · "))
      let noun =
        unit.isDuration ? "" : numbers == ["1"] ? unit.singular : unit.plural
      html.text(noun.isEmpty ? " " : " \(noun) ")
      html.element(
        "small",
        text: (panel.series.count == 3 ? panel.names.joined(separator: " · ") + "; " : "")
          + (panel.count == 1
            ? "on \(panel.series.compactMap { $0.last?.date }.first.map { "\($0)" } ?? "")"
            : panel.period + "mean of \(PageWords.count(panel.count, "day"))"))
    }
  }

  /// The few numbers that there are, newest first.
  private func list(_ html: inout HTMLWriter) {
    let places = panel.series[0].values.indices.filter { place in
      panel.series.contains { $0.values[place] != nil }
    }
    guard places.count > 1 else { return }
    html.element("table", ["class": "few"]) { html in
      html.element("tbody") { html in
        for place in places.reversed() {
          html.element("tr") { html in
            html.element(
              "th", ["scope": "row"], text: "\(panel.series[0].date(place))")
            let numbers = panel.series.map { $0.values[place] }
            html.element(
              "td",
              text: numbers.count == 1
                ? numbers[0].map(unit.text) ?? "–"
                : zip(panel.names, numbers).map { "\($0) \($1.map(unit.text) ?? "–")" }
                  .joined(separator: ", "))
          }
        }
      }
    }
  }

  /// Which line or bar is which metric.
  func key(_ html: inout HTMLWriter) {
    html.element("ul", ["class": "key"]) { html in
      for (place, name) in panel.names.enumerated() {
        if panel.isBand, place != 1 { continue }
        html.element("li") { html in
          html.element("svg", ["viewBox": "0 0 22 10", "aria-hidden": "true"]) { html in
            html.element(
              "path",
              [
                "class": panel.isStacked ? "bar s\(place)" : "week s\(panel.isBand ? 0 : place)",
                "d": panel.isStacked ? "M11 10v-10" : "M1 5h20",
              ]
            ) { _ in }
          }
          html.text(name)
        }
      }
      if panel.isBand {
        html.element("li") { html in
          html.element("svg", ["viewBox": "0 0 22 10", "aria-hidden": "true"]) { html in
            html.element("path", ["class": "band s0", "d": "M0 0h22v10h-22z"]) { _ in }
          }
          html.text("lowest to highest")
        }
      }
    }
  }

  /// A fact: its number, and of what it is.
  private typealias Fact = (name: String, value: String, detail: String)

  func facts(_ series: MetricSeries, _ html: inout HTMLWriter) {
    html.element("dl", ["class": "facts"]) { html in
      for fact in facts(of: series) {
        html.element("div") { html in
          html.element("dt", text: fact.name)
          html.element("dd") { html in
            html.text(fact.value)
            if !fact.detail.isEmpty {
              html.text(" ")
              html.element("small", text: fact.detail)
            }
          }
        }
      }
    }
  }

  /// What every card says, in this order, of the same days and rounded alike; the unit stands
  /// above.
  private func facts(of series: MetricSeries) -> [Fact] {
    func number(_ value: Double?) -> String { value.map(unit.bare) ?? "–" }
    func fact(_ name: String, _ mean: Mean?) -> Fact {
      (name, number(mean?.value), mean.map { PageWords.count($0.count, "day") } ?? "no data")
    }
    func day(_ value: Double?) -> String {
      value.flatMap(series.date(of:)).map { "\($0)" } ?? ""
    }
    let before = [
      fact("\(PageWords.count(days, "day")) before", series.meanBefore),
      ("Change", change(series), ""),
    ]
    if panel.isSparse || isBrief { return before }
    return [
      ("Median", number(series.median), ""),
      ("Newest", number(series.last?.value), series.last.map { "\($0.date)" } ?? ""),
      ("Lowest", number(series.bounds?.lowerBound), day(series.bounds?.lowerBound)),
      ("Highest", number(series.bounds?.upperBound), day(series.bounds?.upperBound)),
      fact("7-day mean", series.mean(ofLast: 7)),
      fact("30-day mean", series.mean(ofLast: 30)),
    ] + before
  }

  /// The mean against the mean of the period before.
  private func change(_ series: MetricSeries) -> String {
    guard let mean = series.mean?.value, let before = series.meanBefore?.value else { return "–" }
    let change = unit.change(mean - before)
    guard before > 0, panel.series.count < 3, series.metric.hasShares,
      !change.hasPrefix("±")
    else {
      return change
    }
    let share = (mean - before) / before * 100
    guard abs(share) >= 0.5, abs(share) < 10_000 else { return change }
    return "\(change) (\(share < 0 ? "−" : "+")\(abs(share).fixed(0)) %)"
  }

  /// The facts of several metrics, a column each.
  func table(_ html: inout HTMLWriter) {
    let columns = panel.series.map(facts)
    html.element("table", ["class": "compared"]) { html in
      html.element("thead") { html in
        html.element("tr") { html in
          html.element("td") { _ in }
          for name in panel.names { html.element("th", ["scope": "col"], text: name) }
        }
      }
      html.element("tbody") { html in
        html.element("tr") { html in
          html.element("th", ["scope": "row"], text: "Mean")
          for series in panel.series {
            html.element("td", text: series.mean.map { unit.bare($0.value) } ?? "–")
          }
        }
        for (place, fact) in columns[0].enumerated() {
          html.element("tr") { html in
            html.element("th", ["scope": "row"], text: fact.name)
            for column in columns {
              html.element("td", text: column[place].value)
            }
          }
        }
      }
    }
  }

  /// The numbers of parts of days, those of one day together: the last of them, and how many more there are.
  private var partial: [String] {
    let numbers = zip(panel.series, panel.names).flatMap { series, name in
      series.partial.map { number in
        (
          place: number.place, words: number.words,
          text: (panel.series.count > 1 ? "\(name) " : "") + unit.text(number.value)
        )
      }
    }
    let days = Dictionary(grouping: numbers, by: \.place).sorted { $0.key < $1.key }
    let told = days.suffix(Self.mostPartial).map { place, numbers in
      let date = panel.series[0].date(place)
      let all = numbers.map(\.text).joined(separator: ", ")
      // After a move to the east two days are not over.
      return report.days[place].isSoFar
        ? "So far on \(date), which is not over and not counted: \(all)"
        : "\(numbers[0].words.capitalisedFirst) on \(date), of a part of it, and not counted: \(all)"
    }
    let rest = days.count - told.count
    return told
      + (rest > 0 ? ["\(PageWords.count(rest, "more day")) with a part, not counted"] : [])
  }

  /// The most days of which a part is told.
  private static let mostPartial = 3

  /// How many days have a number, and why others have none.
  var coverage: String {
    var parts = [
      "\(PageWords.grouped(panel.count)) of \(PageWords.count(days, "day")) with data"
    ]
    if panel.series.count == 1, let gaps = report.gapReasons(panel.series[0].metric) {
      parts.append("Gaps: \(gaps)")
    }
    parts += partial
    let doubted = panel.series.flatMap { series in
      series.doubted.map { "\(unit.text($0.value)) on \(series.date($0.place))" }
    }
    if !doubted.isEmpty {
      let shown = doubted.prefix(3).joined(separator: ", ")
      let others = doubted.count > 3 ? " and \(PageWords.grouped(doubted.count - 3)) more" : ""
      let reason = doubted.count == 1 ? "because it is doubtful" : "because they are doubtful"
      parts.append("Not counted, \(reason): \(shown)\(others)")
    }
    return parts.joined(separator: ". ")
  }
}
