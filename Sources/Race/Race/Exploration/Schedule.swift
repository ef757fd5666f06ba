package import HealthModel

/// A scenario and its steps, as one line of text that can be replayed.
package struct Schedule: Hashable, Sendable {
  package var scenario: Scenario
  package var steps: [Step]

  package init(_ scenario: Scenario, _ steps: [Step]) {
    (self.scenario, self.steps) = (scenario, steps)
  }

  /// The most steps of a schedule that can be parsed.
  static let maximumSteps = 10_000

  /// `subject=... start=... writers=... : u1 u2/lost-after r1 ...`
  package var text: String {
    var words = ["subject=\(scenario.subject.name)", "start=\(scenario.start.rawValue)"]
    words.append("writers=\(scenario.writers)")
    if scenario.readers > 0 { words.append("readers=\(scenario.readers)") }
    if scenario.reads > 1 { words.append("reads=\(scenario.reads)") }
    if scenario.clocks != .near { words.append("clocks=\(scenario.clocks.rawValue)") }
    if scenario.hasTwins { words.append("twins=1") }
    if scenario.hasOutdated { words.append("outdated=1") }
    if !scenario.movesPointer { words.append("cas=0") }
    if scenario.isAtCalendarEnd { words.append("end=1") }
    return (words + [":"] + steps.map(\.word)).joined(separator: " ")
  }

  /// Parses a schedule.
  package init(_ text: String) throws(InvalidText) {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else {
      throw InvalidText("a schedule has a colon between its settings and its steps")
    }
    scenario = Scenario()
    (scenario.readers, scenario.crashes) = (0, 0)
    for word in halves[0].split(separator: " ") { try Self.set(word, &scenario) }
    steps = []
    for word in halves[1].split(separator: " ") {
      guard let step = Step(word: word) else { throw InvalidText("no step is \"\(word)\"") }
      guard steps.count < Self.maximumSteps else {
        throw InvalidText("more than \(Self.maximumSteps) steps")
      }
      steps.append(step)
      if case .interfere = step { scenario.interference += 1 }
    }
  }

  private static func set(_ word: Substring, _ scenario: inout Scenario) throws(InvalidText) {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { throw InvalidText("\"\(word)\" is not a setting") }
    let number = Int(parts[1]) ?? -1
    switch parts[0] {
    case "subject":
      guard let subject = Subject(name: parts[1]) else { throw bad(word) }
      scenario.subject = subject
    case "start":
      guard let start = Scenario.Start(rawValue: parts[1]) else { throw bad(word) }
      scenario.start = start
    case "clocks":
      guard let clocks = Scenario.Clocks(rawValue: parts[1]) else { throw bad(word) }
      scenario.clocks = clocks
    case "writers" where (1...RaceModel.maximumWriters).contains(number):
      scenario.writers = number
    case "readers" where (0...4).contains(number): scenario.readers = number
    case "reads" where (1...4).contains(number): scenario.reads = number
    case "twins" where (0...1).contains(number): scenario.hasTwins = number == 1
    case "outdated" where (0...1).contains(number): scenario.hasOutdated = number == 1
    case "cas" where (0...1).contains(number): scenario.movesPointer = number == 1
    case "end" where (0...1).contains(number): scenario.isAtCalendarEnd = number == 1
    default: throw bad(word)
    }
  }

  private static func bad(_ word: Substring) -> InvalidText {
    InvalidText("\"\(word)\" is not a setting of a schedule")
  }
}

extension Step {
  /// `u1`, `u1/lost-after`, `k1`, `k1+`, `s1`, `r1`, `r1/stale`, `z1`, `m/delete-pointer`.
  var word: String {
    switch self {
    case .advance(let index, .answered): "u\(index + 1)"
    case .advance(let index, let outcome): "u\(index + 1)/\(outcome.rawValue)"
    case .crash(let index, let leavesWrite): "k\(index + 1)\(leavesWrite ? "+" : "")"
    case .restart(let index): "s\(index + 1)"
    case .read(let index, let isStale): "r\(index + 1)\(isStale ? "/stale" : "")"
    case .arrive(let index): "z\(index + 1)"
    case .interfere(let deed): "m/\(deed.rawValue)"
    }
  }

  init?(word: Substring) {
    let parts = word.split(separator: "/", maxSplits: 1)
    guard let head = parts.first, let kind = head.first else { return nil }
    let tail = parts.count > 1 ? String(parts[1]) : nil
    if kind == "m" {
      guard head == "m", let deed = tail.flatMap(Interference.init(rawValue:)) else { return nil }
      self = .interfere(deed)
      return
    }
    var digits = head.dropFirst()
    let leavesWrite = kind == "k" && digits.last == "+"
    if leavesWrite { digits.removeLast() }
    guard let number = Int(digits), (1...100).contains(number) else { return nil }
    switch (kind, tail) {
    case ("u", nil): self = .advance(number - 1, .answered)
    case ("u", .some(let tail)):
      guard let outcome = RequestOutcome(rawValue: tail) else { return nil }
      self = .advance(number - 1, outcome)
    case ("k", nil): self = .crash(number - 1, leavesWrite: leavesWrite)
    case ("s", nil): self = .restart(number - 1)
    case ("r", nil): self = .read(number - 1, isStale: false)
    case ("r", "stale"): self = .read(number - 1, isStale: true)
    case ("z", nil): self = .arrive(number - 1)
    default: return nil
    }
  }
}
