import HealthModel

/// Today's figures: the ring of the steps, a card for each of the usual metrics, and what else the
/// day has (R59).
package struct TodayPart {
  let content: DashboardContent

  package init(_ content: DashboardContent) { self.content = content }

  /// Shown even where they have no number: its absence is shown.
  private static let usual: [(DailyMetric, String)] = [
    (.sleepAsleep, "Asleep"), (.heartRateMean, "Heart rate"),
    (.restingHeartRate, "Resting heart rate"),
    (.heartRateVariability, "Heart rate variability"), (.activeEnergy, "Active energy"),
    (.exerciseMinutes, "Exercise"), (.standHours, "Stand hours"), (.distance, "Distance"),
  ]
  /// Shown as cards where one of the last days has them.
  private static let frequent: [(DailyMetric, String)] = [
    (.flightsClimbed, "Floors climbed"), (.respiratoryRate, "Respiratory rate"),
    (.oxygenSaturation, "Oxygen saturation"),
  ]

  package var part: HTMLPart {
    let settings = content.settings
    guard content.first != nil else {
      let start = StartPart(commands: settings.commands).part
      return HTMLWriter.part { html in
        html.missingZone(settings)
        html.part(start)
      }
    }
    let recent = content.recent
    return HTMLWriter.part { html in
      html.missingZone(settings)
      html.element("p", ["class": "date"]) { html in
        html.link(.day(content.today), PageWords.long(content.today))
        if let before = content.today.adding(days: -1) {
          html.text(" ")
          html.link(.day(before), "Yesterday")
        }
      }
      published(&html)
      html.damage(of: recent)
      html.element("div", ["class": "figures"]) { html in
        StepsRing(TodayMetric(.steps, title: "Steps", recent: recent, settings: content.settings))
          .write(&html)
        var shown: Set<DailyMetric> = [.steps]
        for (metric, title) in Self.usual + Self.frequent {
          var today = TodayMetric(metric, title: title, recent: recent, settings: content.settings)
          today.pulse = metric == .heartRateMean ? content.pulse : content.latest(of: metric)
          let isUsual = Self.usual.contains { $0.0 == metric && metric.isRequired }
          guard today.hasNumber || today.pulse != nil || isUsual else { continue }
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
    html.element("article", ["class": "card figure \(metric.metric.group.domain)"]) { html in
      metric.writeTitle(&html)
      html.element("p", ["class": "last"]) { html in metric.writeNumber(&html) }
      metric.writeGoal(&html)
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
    html.element("details", ["class": "card figure rest", "id": "also-today"]) { html in
      html.element("summary", text: "\(PageWords.count(rest.count, "more number")) of today")
      html.element("dl") { html in
        for number in rest {
          // A latest value says more than the mean of a day so far.
          let latest = day.latest[number.metric]?.value
          let label = (latest == nil ? "" : "latest ") + number.metric.label
          html.element("div") { html in
            html.element("dt") { $0.link(.metric(number.metric), label.capitalisedFirst) }
            let unit = PersonUnit(
              number.metric, greatest: number.value, in: content.settings.units)
            html.element("dd", text: unit.text(latest ?? number.value))
          }
        }
      }
    }
  }
}

extension TodayMetric {
  /// The title, which leads to the metric's page.
  func writeTitle(_ html: inout HTMLWriter) {
    html.element("h3") { html in html.link(.metric(metric), title) }
  }

  func writeGoal(_ html: inout HTMLWriter) {
    guard let words = goalWords else { return }
    html.element("p", ["class": hasReached ? "goal reached" : "goal"], text: words)
  }

  /// Today's number and its unit; where there is none, the reason.
  func writeNumber(_ html: inout HTMLWriter) {
    if let pulse {
      html.element("b", text: unit.bare(pulse.value))
      html.text(" ")
      return html.element("small") { html in
        html.text("\(unit.plural) ")
        html.moment(pulse.at)
      }
    }
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
      if pulse != nil, let today {
        html.element("span", text: "Mean of today so far \(unit.text(today))")
        html.text(" ")
      }
      let part = yesterdayPart.map { " \($0)" } ?? ""
      html.element(
        "span", text: "Yesterday \(yesterday.map { unit.text($0) + part } ?? "no number")")
      guard let mean else { return }
      html.text(" ")
      html.element(
        "span", text: "Mean of \(PageWords.count(mean.count, "day")) \(unit.text(mean.value))")
    }
  }
}

extension HTMLWriter {
  /// That the time zone is missing, what waits for it, and the command that sets it.
  mutating func missingZone(_ settings: DashboardSettings) {
    guard let missing = settings.missingZone else { return }
    element("div", ["class": "damage", "id": "missing-zone"]) { html in
      html.element("h3", text: "Your time zone is missing")
      html.element(
        "p",
        text: missing.rows.map { "Data is stored and waits: no time zone is set, and \($0)." }
          ?? "Days begin and end by this server’s clock, in \(missing.machine).")
      let again = settings.takesZoneAtOnce ? "" : ", and start the server again"
      html.element("p", text: "Where this server runs, say where you live\(again):")
      html.element("p", ["class": "command"]) { html in
        html.element(
          "code",
          text: "\(settings.commands.settingZone) \(missing.fitting ?? "NAME")")
      }
    }
  }

  /// A moment that a script may put as an age.
  mutating func moment(_ moment: Timestamp) {
    element("time", ["datetime": "\(moment)"], text: PageWords.moment(moment))
  }
}

/// Today's steps as a part of the goal: a ring, the number in words beside it (R59).
struct StepsRing {
  private let steps: TodayMetric
  private var percent: Int? { steps.percent }

  init(_ steps: TodayMetric) { self.steps = steps }

  /// The length of the ring, whose radius makes it 100.
  private static let radius = "15.9155"

  func write(_ html: inout HTMLWriter) {
    html.element("article", ["class": "card figure steps activity"]) { html in
      steps.writeTitle(&html)
      html.element("div", ["class": "ringed"]) { html in
        ring(&html)
        html.element("p", ["class": "last"]) { html in steps.writeNumber(&html) }
      }
      steps.writeGoal(&html)
      steps.write(&html)
      steps.writeComparison(&html)
    }
    html.newline()
  }

  private func ring(_ html: inout HTMLWriter) {
    html.element(
      "svg", ["class": "ring", "viewBox": "0 0 40 40", "role": "img", "aria-label": label]
    ) { html in
      html.element("circle", ["class": "track", "cx": "20", "cy": "20", "r": "\(Self.radius)"]) {
        _ in
      }
      if let percent, percent > 0 {
        html.element(
          "circle",
          [
            "class": "part", "cx": "20", "cy": "20", "r": "\(Self.radius)",
            "stroke-dasharray": "\(min(100, percent)) 100", "transform": "rotate(-90 20 20)",
          ]
        ) { _ in }
      }
      html.element(
        "text", ["x": "20", "y": "22.4"], text: percent.map { "\($0) %" } ?? "–")
    }
  }

  private var label: String {
    percent.map { "\($0) per cent of the goal" } ?? "no number of steps today"
  }
}
