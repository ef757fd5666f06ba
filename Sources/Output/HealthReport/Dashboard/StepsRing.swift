import HealthModel

/// Today's steps as a part of the goal: a ring, the number in words beside it (R59).
struct StepsRing {
  private let steps: TodayMetric
  private let goal: Int

  init(_ steps: TodayMetric, goal: Int) { (self.steps, self.goal) = (steps, max(1, goal)) }

  /// The length of the ring, whose radius makes it 100.
  private static let radius = "15.9155"

  func write(_ html: inout HTMLWriter) {
    html.element("article", ["class": "card figure steps"]) { html in
      html.element("h3", text: steps.title)
      html.element("div", ["class": "ringed"]) { html in
        ring(&html)
        html.element("p", ["class": "last"]) { html in steps.writeNumber(&html) }
      }
      html.element("p", ["class": hasReached ? "goal reached" : "goal"], text: words)
      steps.write(&html)
      steps.writeComparison(&html)
    }
    html.newline()
  }

  private var hasReached: Bool { (steps.today ?? 0) >= Double(goal) }

  private var words: String {
    let of = "of \(PageWords.grouped(goal)) steps"
    guard let percent else { return of }
    return hasReached ? "Goal reached! \(percent) % \(of)" : "\(percent) % \(of)"
  }

  /// Whole per cent, never 100 before the goal.
  private var percent: Int? {
    steps.today.map { Int((max(0, min($0, 1e9)) / Double(goal) * 100).rounded(.down)) }
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
