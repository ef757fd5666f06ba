package import HealthModel

/// The course of the heart rate over a day: lowest to highest as a band, the mean as a line, and
/// workouts behind it.
struct HeartCourse {
  let course: DayCourse
  private let pieces: [(least: Double, mean: Double, most: Double)?]
  private let scale: AxisScale
  private let unit: PersonUnit
  private static let (top, height) = (8, 180)

  /// Nil without a sample on the day.
  init?(_ course: DayCourse) {
    pieces = course.pieces
    let found = pieces.compactMap(\.self)
    guard let least = found.map(\.least).min(), let most = found.map(\.most).max() else {
      return nil
    }
    self.course = course
    unit = PersonUnit(.heartRateMean, greatest: most)
    scale = AxisScale(least...most, unit, isFromZero: false)
  }

  private var start: Int { course.day.start.timestamp.secondsSince1970 }
  private func y(_ value: Double) -> Int { GapPath.y(value, scale.bounds) }

  func write(_ html: inout HTMLWriter) {
    html.element("div", ["class": "readable"]) { html in
      html.element("svg", ["class": "chart big", "role": "img", "aria-label": label]) { html in
        html.element(
          "svg",
          [
            "class": "plot", "y": "\(Self.top)", "width": "100%", "height": "\(Self.height)",
            "viewBox": "-0.5 0 \(pieces.count) \(GapPath.height)", "preserveAspectRatio": "none",
          ]
        ) { html in
          let levels = scale.ticks.map { "M-0.5 \(y($0.value))h\(pieces.count)" }
          html.element("path", ["class": "grid", "d": levels.joined()]) { _ in }
          for workout in course.workouts {
            let from = max(0, (Int(workout.start) - start) / DayCourse.pieceSeconds)
            let to = min(pieces.count, (Int(workout.end) - start) / DayCourse.pieceSeconds + 1)
            guard from < to else { continue }
            html.element(
              "rect",
              [
                "class": "workout", "x": "\(from)", "width": "\(to - from)", "y": "0",
                "height": "\(GapPath.height)",
              ]
            ) { $0.element("title", text: workout.activity) }
          }
          let area = pieces.enumerated().map { place, piece in
            piece.map { "M\(place) \(y($0.most))V\(y($0.least))" } ?? ""
          }
          html.element("path", ["class": "range s0", "d": area.joined()]) { _ in }
          let means = GapPath(pieces.map { $0?.mean }, bounds: scale.bounds)
          html.element("path", ["class": "week s0", "d": means.line + means.dots]) { _ in }
        }
        for tick in scale.ticks {
          let y = Double(Self.top) + Double(Self.height) * (1 - scale.part(tick.value)) + 4
          html.element(
            "text", ["class": "level", "x": "-6", "y": "\(Int(y.rounded()))"], text: tick.label)
        }
        let end = course.day.end.timestamp.secondsSince1970
        for hour in course.hours(in: start..<end, every: 6) {
          html.element(
            "text",
            [
              "class": "from", "x": "\((hour - start) * 100 / max(1, end - start))%",
              "y": "\(Self.top + Self.height + 16)",
            ], text: course.clock(hour))
        }
      }
      table(&html)
    }
  }

  private var label: String {
    let found = pieces.compactMap(\.self)
    return "Heart rate over the day: lowest \(unit.text(found.map(\.least).min() ?? 0)), "
      + "highest \(unit.text(found.map(\.most).max() ?? 0))"
  }

  private func table(_ html: inout HTMLWriter) {
    html.element("details") { html in
      html.element("summary", text: "As a table")
      html.element(
        "div",
        [
          "class": "scroll", "role": "region", "tabindex": "0",
          "aria-label": "Heart rate as a table",
        ]
      ) { html in
        html.element(
          "table", ["class": "data", "data-places": "\(pieces.count)", "data-unit": "bpm"]
        ) { html in
          html.columns(["Time", "Mean (bpm)", "Lowest", "Highest"])
          html.element("tbody") { html in
            for (place, piece) in pieces.enumerated() {
              guard let piece else { continue }
              html.element("tr", ["data-place": "\(place)"]) { html in
                html.element(
                  "th", ["scope": "row"],
                  text: course.clock(start + place * DayCourse.pieceSeconds))
                for value in [piece.mean, piece.least, piece.most] {
                  html.element("td", text: unit.bare(value))
                }
              }
            }
          }
        }
      }
    }
  }
}

/// The stages of the night that ends on a day, one above the other.
struct Hypnogram {
  let course: DayCourse
  /// The day's own number, in minutes; nil where the night could not be read as a whole.
  private let total: Double?
  private let span: Range<Int>
  private let lanes: [(value: SleepValue, name: String)]
  private static let lane = 30

  /// Nil without a sample of the night.
  init?(_ course: DayCourse, total: Double?) {
    let stages: Set<SleepValue> = [.asleepREM, .asleepCore, .asleepDeep]
    let hasStages = course.sleep.contains { stages.contains($0.value) }
    let names: [(SleepValue, String)] = [
      (.awake, "Awake"), (.asleepREM, "REM"), (.asleepCore, "Core"), (.asleepDeep, "Deep"),
      (.asleepUnspecified, "Asleep"), (.inBed, "In bed"),
    ].map { value, name in
      // If some sleep has stages, the rest is not the whole sleep.
      value == .asleepUnspecified && hasStages ? (value, "No stage") : (value, name)
    }
    let present = Set(course.sleep.map(\.value))
    let hasSleep = !present.subtracting([.inBed]).isEmpty
    lanes = names.filter { present.contains($0.0) && !($0.0 == .inBed && hasSleep) }
    let shown = Set(lanes.map(\.value))
    let ranges = course.sleep.filter { shown.contains($0.value) }.map(\.range)
    guard let from = ranges.map(\.lowerBound).min(), let to = ranges.map(\.upperBound).max(),
      from < to
    else { return nil }
    (self.course, self.total, span) = (course, total, from..<to)
  }

  private func seconds(_ value: SleepValue) -> Int {
    course.sleep.filter { $0.value == value }.reduce(0) { $0 + $1.range.count }
  }

  /// How long the person slept, in all stages. It comes first and does not include waking. The samples that
  /// could be read may be a part of the night, so it is never their sum.
  private var asleep: String? {
    let asleep = lanes.map(\.value).filter { $0 != .awake && $0 != .inBed }
    guard !asleep.isEmpty else { return nil }
    guard let total else { return "Asleep: not known; what could be read is shown" }
    // Where no stage is known, the lane says it.
    return asleep == [.asleepUnspecified] ? nil : "Asleep \(total.rounded().asDuration)"
  }

  private static func duration(_ seconds: Int) -> String {
    (Double(seconds) / 60).rounded().asDuration
  }

  func write(_ html: inout HTMLWriter) {
    let stages = lanes.map { "\($0.name) \(Self.duration(seconds($0.value)))" }
    let words = (asleep.map { [$0] } ?? []) + stages
    html.element(
      "svg",
      [
        "class": "chart night n\(lanes.count)", "role": "img",
        "aria-label": "From \(course.clock(span.lowerBound)) to \(course.clock(span.upperBound)): "
          + words.joined(separator: ", "),
      ]
    ) { html in
      html.element(
        "svg",
        [
          "class": "plot", "width": "100%", "height": "\(lanes.count * Self.lane)",
          "viewBox": "0 0 \(span.count / 60 + 1) \(lanes.count * Self.lane)",
          "preserveAspectRatio": "none",
        ]
      ) { html in
        for (place, lane) in lanes.enumerated() {
          html.element(
            "path", ["class": "grid", "d": "M0 \((place + 1) * Self.lane)h\(span.count / 60 + 1)"]
          ) { _ in }
          for part in course.sleep where part.value == lane.value {
            let from = (part.range.lowerBound - span.lowerBound) / 60
            html.element(
              "rect",
              [
                "class": lane.value.name, "x": "\(from)", "y": "\(place * Self.lane + 4)",
                "width": "\(max(1, part.range.count / 60))", "height": "\(Self.lane - 8)",
              ]
            ) { html in
              html.element(
                "title",
                text: "\(lane.name), \(course.clock(part.range.lowerBound)) to "
                  + course.clock(part.range.upperBound))
            }
          }
        }
      }
      for (place, lane) in lanes.enumerated() {
        html.element(
          "text", ["class": "level", "x": "-6", "y": "\(place * Self.lane + 19)"], text: lane.name)
      }
      for hour in course.hours(in: span, every: 2) {
        html.element(
          "text",
          [
            "class": "day", "x": "\((hour - span.lowerBound) * 100 / span.count)%",
            "y": "\(lanes.count * Self.lane + 16)",
          ], text: course.clock(hour))
      }
    }
    html.element("ul", ["class": "key"]) { html in
      if let asleep { html.element("li") { $0.element("b", text: asleep) } }
      html.element(
        "li", text: "\(course.clock(span.lowerBound)) to \(course.clock(span.upperBound))")
      for stage in stages { html.element("li", text: stage) }
    }
  }
}

/// What the samples of a day say of its course: how the heart beat, how the night before it was, and
/// the workouts.
package struct DayCourse: Sendable {
  package let day: ReportingDay
  /// The heart rate at a moment, or over the source's shortest interval.
  package struct Beat: Sendable {
    let at: Int
    let (least, mean, most): (Double, Double, Double)

    package init(at: Int, least: Double, mean: Double, most: Double) {
      (self.at, self.least, self.mean, self.most) = (at, least, mean, most)
    }

    package init(at: Int, _ rate: Double) { self.init(at: at, least: rate, mean: rate, most: rate) }
  }

  /// In any order; a day of a watch has some thousand.
  package var heart: [Beat] = []
  /// When which stage counts, in seconds since 1970.
  package var sleep: [(value: SleepValue, range: Range<Int>)] = []
  package var workouts: [Workout] = []

  package init(_ day: ReportingDay) { self.day = day }

  /// `07:30` by the clock on the wall of the day's zone.
  func clock(_ seconds: Int) -> String { day.clock(Timestamp(secondsSince1970: seconds)) }

  /// The full hours of the clock between two moments, so many hours apart.
  func hours(in range: Range<Int>, every step: Int) -> [Int] {
    stride(from: (range.lowerBound + 899) / 900 * 900, to: range.upperBound, by: 900).filter {
      let clock = clock($0)
      return clock.hasSuffix(":00") && (Int(clock.prefix(2)) ?? 1) % step == 0
    }
  }

  /// Seconds of a piece of the course of the heart.
  static let pieceSeconds = 600

  /// The heart rate's lowest, mean and highest of each piece of the day; nil without a sample.
  var pieces: [(least: Double, mean: Double, most: Double)?] {
    let (start, end) = (day.start.timestamp.secondsSince1970, day.end.timestamp.secondsSince1970)
    let count = max(1, (end - start + Self.pieceSeconds - 1) / Self.pieceSeconds)
    var found: [[Beat]] = Array(repeating: [], count: count)
    for beat in heart where beat.at >= start && beat.at < end {
      found[(beat.at - start) / Self.pieceSeconds].append(beat)
    }
    return found.map { beats in
      guard let least = beats.map(\.least).min(), let most = beats.map(\.most).max(),
        let mean = DayStatistics.mean(beats.map(\.mean))
      else { return nil }
      return (least, mean, most)
    }
  }
}
