/// A world that is raced: a value, the steps that are possible in it, and what must hold.
///
/// Its machines are those that are shipped. Two worlds are equal where all that can follow is.
package protocol RacedWorld: Hashable {
  associatedtype Step: Hashable & CustomStringConvertible

  /// What can happen next, in any order; empty at rest, and where a promise is broken. What need not
  /// be tried to find every broken promise may be left out.
  var steps: [Step] { get }
  /// A step that no other can affect and that affects no other, so that its order need not be
  /// explored; nil if there is none.
  var localStep: Step? { get }
  /// Whether a step is possible, even where no more may go wrong.
  func allows(_ step: Step) -> Bool
  /// Lets a step happen. Returns the faults that it fired, by name.
  mutating func take(_ step: Step) -> [String]
  /// What is broken now; nil if nothing is. At rest more must hold.
  var breach: Breach? { get }
  /// What the whole run has broken, if no single step has.
  var breachOfRun: Breach? { get }

  /// Whose step it is, as a number below 16; nil for one of chance.
  static func actor(of step: Step) -> Int?
  /// Whether it is something that goes wrong.
  static func isFault(_ step: Step) -> Bool

  /// In what world this is, for people.
  var title: String { get }
  /// What a step does in this world, for people.
  func words(of step: Step) -> String
  /// The same world with less in it, to show a broken promise by.
  var simpler: [Self] { get }
}

extension RacedWorld {
  package var localStep: Step? { nil }
  package func allows(_ step: Step) -> Bool { steps.contains(step) }
  package var breachOfRun: Breach? { nil }
  package func words(of step: Step) -> String { step.description }
  package var simpler: [Self] { [] }

  /// What steps do, one after the other, for people.
  func lines(of steps: [Step]) -> [String] {
    var world = self
    return steps.map { step in
      defer { _ = world.take(step) }
      return world.words(of: step)
    }
  }
}

/// A broken promise.
package struct Breach: Hashable, Sendable, CustomStringConvertible {
  /// The promise, in a few words.
  package let oracle: String
  /// How it was broken, in one clause.
  package let message: String

  init(_ oracle: some RawRepresentable<String>, _ message: String) {
    (self.oracle, self.message) = (oracle.rawValue, message)
  }

  /// More steps than any way to rest has.
  static let neverEnds = Breach(Ending.never, "this can go on forever without any further fault")

  private enum Ending: String { case never = "never ends" }

  package var description: String { "\(oracle): \(message)" }
}

/// A mistake to build into a world; the oracles must find it.
package protocol RaceFlaw: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// What is wrong, for people.
  var summary: String { get }
}

/// What is raced: the machines of one world as they are, or with a mistake built in.
package protocol RacedField {
  associatedtype World: RacedWorld
  associatedtype Flaw: RaceFlaw

  /// The name of the world on the command line.
  static var name: String { get }

  /// - Parameter flaw: the mistake; nil for none.
  init(_ flaw: Flaw?) throws

  /// Worlds of these machines to explore whole.
  ///
  /// - Parameter isThorough: whether to take minutes and gigabytes.
  func worlds(isThorough: Bool) throws -> [World]
  /// The run of a seed, which draws what it begins with, too.
  func run(of seed: UInt64) -> RandomRun<World>
  /// Faults that enough runs must have fired.
  static var faults: [String] { get }
  /// Decisions of the machines that a race is to reach, and those that it has.
  var decisions: (all: [String], taken: Set<String>) { get }
}

extension RacedField {
  package var decisions: (all: [String], taken: Set<String>) { ([], []) }
}

extension Int {
  /// `1 writer`, `2 writers`; nil for none.
  func counted(_ one: String, _ many: String? = nil) -> String? {
    self == 0 ? nil : "\(self) \(self == 1 ? one : many ?? one + "s")"
  }
}
