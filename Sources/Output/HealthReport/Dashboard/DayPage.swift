package import HealthLedger
package import HealthModel

/// What is known of one day (R59).
package struct DayContent: Sendable {
  /// A revision, and what it changed.
  package struct Revision: Sendable {
    package let id: RevisionID
    package let madeAt: String
    /// Against the revision before it; nil for the first, and where either can't be read.
    package let difference: RevisionDifference?

    package init(id: RevisionID, madeAt: String, difference: RevisionDifference?) {
      (self.id, self.madeAt, self.difference) = (id, madeAt, difference)
    }
  }

  /// Most revisions that are compared.
  package static let mostRevisions = 20

  package let verdict: DayVerdict
  package let today: CalendarDate
  package let madeAt: Timestamp
  package let settings: DashboardSettings
  /// Newest first.
  package var revisions: [Revision] = []
  /// How many there are.
  package var revisionCount = 0
  /// Nil where no sample of it is known.
  package var course: DayCourse?
  /// The days before it, which its numbers are compared with.
  package var before: [ReportDay] = []

  package init(
    _ verdict: DayVerdict, today: CalendarDate, madeAt: Timestamp, settings: DashboardSettings
  ) {
    (self.verdict, self.today) = (verdict, today)
    (self.madeAt, self.settings) = (madeAt, settings)
  }
}

/// The page of a day: the night, the heart, workouts, every number, and the revisions (R59).
package struct DayPage {
  let content: DayContent
  private let day: ReportDay
  private let sources: [DailyMetric: MetricSources]

  package init(_ content: DayContent) {
    self.content = content
    day = ReportDay(content.verdict, at: content.madeAt)
    let rows = content.verdict.latest?.revision.metricSources ?? []
    sources = Dictionary(uniqueKeysWithValues: rows.map { ($0.metric, $0) })
  }

  private var date: CalendarDate { day.date }
  private var units: PersonalUnits { content.settings.units }

  /// The document in UTF-8.
  package func bytes(in frame: PageFrame) -> [UInt8] {
    frame.bytes(.day(date), PageWords.long(date), skip: "Skip to the day’s figures") { html in
      let (before, after) = (date.adding(days: -1), date.adding(days: 1))
      html.turns(
        "Days", before: before.map { (.day($0), PageWords.near($0)) },
        after: after.flatMap { $0 > content.today ? nil : (.day($0), PageWords.near($0)) })
      state(&html)
      html.damage(of: [day])
      if let course = content.course { shapes(course, &html) }
      numbers(&html)
      revisions(&html)
    }
  }

  private func state(_ html: inout HTMLWriter) {
    var words = [day.coverage.label.capitalisedFirst + ": " + day.coverage.meaning]
    if day.isSoFar { words.append("the day is not over, these are its numbers so far") }
    if day.partial.areAll, let captured = day.partial.words { words.append(captured) }
    if day.faults > 0, day.coverage != .missing {
      words.append(PageWords.count(day.faults, "finding"))
    }
    if let zone = content.verdict.latest?.revision.day.timeZoneName { words.append(zone) }
    html.element("p", ["class": "hint"], text: words.joined(separator: "; ") + ".")
  }

  private func shapes(_ course: DayCourse, _ html: inout HTMLWriter) {
    let asleep = content.verdict.latest?.revision.reading(of: .sleepAsleep).number
    if let night = Hypnogram(course, total: asleep) {
      html.element("div", ["class": "sleep"]) { html in
        html.section("night", "The night before") { night.write(&$0) }
      }
    }
    if let heart = HeartCourse(course) {
      html.element("div", ["class": "heart"]) { html in
        html.section("heart", "Heart rate") { heart.write(&$0) }
      }
    }
    guard !course.workouts.isEmpty else { return }
    html.section("workouts", "Workouts") { html in
      html.element("ul", ["class": "origins"]) { html in
        for workout in course.workouts.sorted(by: { $0.start < $1.start }) {
          html.element("li") { html in
            html.element("span") { html in
              html.element("bdi", text: workout.activity)
              html.text(" ")
              html.element(
                "small",
                text: "\(course.clock(Int(workout.start))) to \(course.clock(Int(workout.end)))")
            }
            html.element("small", text: figures(workout))
          }
        }
      }
    }
  }

  private func figures(_ workout: Workout) -> String {
    let seconds = workout.duration ?? Double(workout.end - workout.start)
    let parts: [(WorkoutFigure, DailyMetric)] = [
      (.distance, .distance), (.activeEnergy, .activeEnergy),
      (.averageHeartRate, .heartRateMean), (.maximumHeartRate, .heartRateMaximum),
    ]
    return
      ([(seconds / 60).rounded().asDuration]
      + parts.compactMap { figure, metric in
        workout.figures[figure].map { number in
          (figure == .averageHeartRate ? "mean " : figure == .maximumHeartRate ? "highest " : "")
            + PersonUnit(metric, greatest: number, in: units).text(number)
        }
      }).joined(separator: ", ")
  }

  /// Every number with its sources and the mean of the days before.
  private func numbers(_ html: inout HTMLWriter) {
    guard day.hasNumber else {
      html.section("numbers", "Numbers") {
        $0.element("p", ["class": "none"], text: "No number of this day.")
      }
      return
    }
    html.section("numbers", "Numbers") { html in
      let days = PageWords.count(content.before.count, "day")
      let mean = content.before.isEmpty ? "" : " Beside each the mean of the \(days) before."
      html.element("p", ["class": "hint"], text: "Open a number to see its sources.\(mean)")
      html.element("div", ["class": "cards"]) { html in
        for group in MetricGroup.allCases {
          let own = DailyMetric.allCases.filter { metric in
            metric.group == group && day.readings[metric] != nil
              && metric.aggregation != .latestTime
          }
          guard !own.isEmpty else { continue }
          html.element("article", ["class": "card \(group.domain)"]) { html in
            html.element("h3", text: group.label.capitalisedFirst)
            html.element("table", ["class": "few"]) { html in
              html.element("tbody") { html in for metric in own { row(metric, &html) } }
            }
          }
        }
      }
    }
  }

  private func row(_ metric: DailyMetric, _ html: inout HTMLWriter) {
    let number = day.readings[metric]?.number
    let before = Mean(
      content.before.map { $0.counted(metric) })
    let unit = PersonUnit(
      metric, greatest: max(abs(number ?? 0), abs(before?.value ?? 0)), in: units)
    html.element("tr") { html in
      html.element("th", ["scope": "row"]) { html in
        html.link(
          .metric(metric.latestOf ?? metric, to: date == content.today ? nil : date),
          metric.label.capitalisedFirst + time(of: metric))
      }
      html.element("td") { html in
        guard let said = sources[metric] else { return figure(number, metric, unit, &html) }
        html.element("details") { html in
          html.element("summary") { figure(number, metric, unit, &$0) }
          html.element("ul") { html in
            for word in said.shown { entry(word, metric, unit, &html) }
            for word in said.others { entry(word, metric, unit, before: "Not shown: ", &html) }
          }
        }
      }
      html.element("td") { html in
        html.element("small", text: before.map { unit.text($0.value) } ?? "–")
      }
    }
  }

  private func figure(
    _ number: Double?, _ metric: DailyMetric, _ unit: PersonUnit, _ html: inout HTMLWriter
  ) {
    if let number {
      html.element("b", text: unit.text(number))
      if day.doubted.contains(metric) { html.element("small", text: " doubtful") }
      if !day.partial.areAll, let captured = day.partial[metric]?.words {
        html.element("small", text: " \(captured)")
      }
    } else {
      html.element("small", text: day.readings[metric]?.reason ?? "no data")
    }
  }

  /// What a source says of a metric, of what of the day, and when it was read.
  private func entry(
    _ word: Word, _ metric: DailyMetric, _ unit: PersonUnit, before: String = "",
    _ html: inout HTMLWriter
  ) {
    guard let day = content.verdict.latest?.revision.day else { return }
    let reading = word.reading(of: metric)
    html.element("li") { html in
      html.text("\(before)\(reading.number.map(unit.text) ?? reading.reason) from ")
      html.element("code", text: word.source.rawValue)
      html.text(", \(word.seen(on: day))")
    }
  }

  /// When a latest value was measured, by the clock of the day's zone.
  private func time(of metric: DailyMetric) -> String {
    guard metric.aggregation == .latest, let mean = metric.latestOf,
      let moment = day.latest[mean]?.at, let own = content.verdict.latest?.revision.day
    else { return "" }
    return ", \(own.clock(moment))"
  }

  private func revisions(_ html: inout HTMLWriter) {
    guard content.revisionCount > 0 else { return }
    html.section("revisions", "Revisions") { html in
      html.element(
        "p", ["class": "hint"],
        text: "The day was published \(PageWords.count(content.revisionCount, "time")). "
          + "Each revision with what it changed; the newest counts.")
      html.element("ol", ["class": "log", "reversed": ""]) { html in
        for revision in content.revisions {
          html.element("li") { html in
            html.element("code", text: revision.id.rawValue)
            html.text(" ")
            html.element("small", text: revision.madeAt)
            changes(revision.difference, &html)
          }
        }
      }
      if content.revisionCount > content.revisions.count {
        html.element(
          "p", ["class": "hint"],
          text: "Older ones are in the store, and are not shown here.")
      }
    }
  }

  /// The most places of a revision's changes that are listed.
  private static let mostChanges = 60

  private func changes(_ difference: RevisionDifference?, _ html: inout HTMLWriter) {
    guard let difference else { return }
    let all = difference.payloadChanges.compactMap { change -> (String, String)? in
      let parts = change.pointer.split(separator: "/").map(String.init)
      if parts.first == "collector" { return nil }
      if parts.count == 2, ["metric_status", "metric_units"].contains(parts[0]) { return nil }
      if parts.count == 2, parts[0] == "metrics", let metric = DailyMetric.named(parts[1]) {
        return (metric.label.capitalisedFirst, words(metric, change))
      }
      return (
        change.pointer.bounded(to: 60), "\(Self.bounded(change.old)) → \(Self.bounded(change.new))"
      )
    }
    guard !all.isEmpty else {
      html.element("p", ["class": "hint"], text: "No difference in the numbers.")
      return
    }
    html.element("ul") { html in
      for (name, words) in all.prefix(Self.mostChanges) {
        html.element("li", text: "\(name): \(words)")
      }
      if all.count > Self.mostChanges {
        html.element("li", text: "and \(PageWords.grouped(all.count - Self.mostChanges)) more")
      }
    }
  }

  private func words(_ metric: DailyMetric, _ change: RevisionDifference.Change) -> String {
    let (old, new) = (change.old?.numberValue, change.new?.numberValue)
    let unit = PersonUnit(metric, greatest: max(abs(old ?? 0), abs(new ?? 0)), in: units)
    let text =
      "\(old.map(unit.text) ?? "no number") → \(new.map(unit.text) ?? "no number")"
    guard let old, let new else { return text }
    if unit.text(old) == unit.text(new) { return text + " (by less than is shown)" }
    return text + " (\(unit.change(new - old)))"
  }

  private static func bounded(_ value: JSONValue?) -> String {
    value.map { String(decoding: $0.canonicalBytes, as: UTF8.self).bounded(to: 80) } ?? "nothing"
  }
}
