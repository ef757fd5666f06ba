import HealthModel

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
