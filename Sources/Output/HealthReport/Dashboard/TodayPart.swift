import HealthModel

/// Today's figures: the ring of the steps, a card for each of the usual metrics, and what else the
/// day has (R59).
package struct TodayPart {
  let content: DashboardContent

  package init(_ content: DashboardContent) { self.content = content }

  /// Shown even where they have no number: its absence is shown.
  private static let usual: [(DailyMetric, String)] = [
    (.distance, "Distance"), (.activeEnergy, "Active energy"), (.exerciseMinutes, "Exercise"),
    (.standHours, "Stand hours"), (.sleepAsleep, "Asleep"),
    (.restingHeartRate, "Resting heart rate"),
    (.heartRateVariability, "Heart rate variability"),
  ]
  /// Shown as cards where one of the last days has them.
  private static let frequent: [(DailyMetric, String)] = [
    (.heartRateMean, "Heart rate"), (.flightsClimbed, "Floors climbed"),
    (.respiratoryRate, "Respiratory rate"), (.oxygenSaturation, "Oxygen saturation"),
  ]

  package var part: HTMLPart {
    let recent = content.recent
    return HTMLWriter.part { html in
      html.element("p", ["class": "date"], text: PageWords.long(content.today))
      published(&html)
      html.damage(of: recent)
      html.element("div", ["class": "figures"]) { html in
        StepsRing(TodayMetric(.steps, title: "Steps", recent: recent), goal: content.stepGoal)
          .write(&html)
        var shown: Set<DailyMetric> = [.steps]
        for (metric, title) in Self.usual + Self.frequent {
          let today = TodayMetric(metric, title: title, recent: recent)
          guard today.hasNumber || Self.usual.contains(where: { $0.0 == metric }) else { continue }
          shown.insert(metric)
          card(today, &html)
        }
        others(shown, &html)
      }
    }
  }

  /// When today was published last.
  private func published(_ html: inout HTMLWriter) {
    html.element("p", ["class": "published"]) { html in
      guard let report = content.reports[.week], let newest = report.newest,
        newest.date == content.today
      else {
        html.text("Nothing has been published for today yet.")
        return
      }
      html.text("Last updated ")
      html.moment(newest.generatedAt)
      if let read = newest.capturedAt, read != newest.generatedAt {
        html.text(", read ")
        html.moment(read)
      }
    }
  }

  private func card(_ metric: TodayMetric, _ html: inout HTMLWriter) {
    html.element("article", ["class": "card figure"]) { html in
      html.element("h3", text: metric.title)
      html.element("p", ["class": "last"]) { html in metric.writeNumber(&html) }
      metric.write(&html)
      metric.writeComparison(&html)
    }
    html.newline()
  }

  /// What else today has, in a list.
  private func others(_ shown: Set<DailyMetric>, _ html: inout HTMLWriter) {
    guard let day = content.recent.last, day.date == content.today else { return }
    let rest = day.numbers.filter { !shown.contains($0.metric) && !day.doubted.contains($0.metric) }
    guard !rest.isEmpty else { return }
    html.element("article", ["class": "card figure rest"]) { html in
      html.element("h3", text: "Also today")
      html.element("dl") { html in
        for number in rest {
          html.element("div") { html in
            html.element("dt", text: number.metric.label.capitalisedFirst)
            html.element(
              "dd", text: PersonUnit(number.metric, greatest: number.value).text(number.value))
          }
        }
      }
    }
  }
}

extension TodayMetric {
  /// Today's number and its unit; where there is none, the reason.
  func writeNumber(_ html: inout HTMLWriter) {
    guard let today else {
      html.element("b", ["class": "none"], text: "–")
      html.text(" ")
      html.element("small", text: gap ?? "")
      return
    }
    html.element("b", text: unit.bare(today))
    let noun = unit.isDuration ? "" : unit.bare(today) == "1" ? unit.singular : unit.plural
    if !noun.isEmpty {
      html.text(" ")
      html.element("small", text: noun)
    }
  }

  /// Yesterday, and the mean of the week before today.
  func writeComparison(_ html: inout HTMLWriter) {
    html.element("p", ["class": "gaps"]) { html in
      guard hasNumber else {
        html.text("No number in the last \(Self.days) days")
        return
      }
      html.element("span", text: "Yesterday \(yesterday.map(unit.text) ?? "no number")")
      guard let mean else { return }
      html.text(" ")
      html.element(
        "span", text: "Mean of \(PageWords.count(mean.count, "day")) \(unit.text(mean.value))")
    }
  }
}

extension HTMLWriter {
  /// A moment that a script may put as an age.
  mutating func moment(_ moment: Timestamp) {
    element("time", ["datetime": "\(moment)"], text: PageWords.moment(moment))
  }
}
