/// The runs of which a person has said that they are undone, and what these have said of a day: it stands aside,
/// and no figure is made of it (R20). Pure; joined like the words that count.
struct UndoneRuns: Hashable, Sendable {
  /// How often each run was undone or, after that, taken back: it is undone where that is odd.
  let times: [RunID: Int]
  private var aside: [Place: Word] = [:]

  private struct Place: Hashable, Sendable {
    let run: RunID
    let register: Word.Register
  }

  init(_ times: [RunID: Int] = [:]) { self.times = times }

  var words: some Collection<Word> { aside.values }
  var isEmpty: Bool { times.isEmpty }

  func contains(_ run: RunID?) -> Bool {
    run.flatMap { times[$0] }.map { $0 % 2 == 1 } ?? false
  }

  /// Takes a word of an undone run; false for any other, which counts.
  mutating func take(_ word: Word) -> Bool {
    guard let run = word.run, contains(run) else { return false }
    let place = Place(run: run, register: word.register)
    if aside[place].map(word.outranks) ?? true { aside[place] = word }
    return true
  }

  /// The one that has said the same of the same moment: reading its input again says nothing new.
  func run(saying word: Word) -> RunID? {
    words.first {
      $0.register == word.register && $0.extent == word.extent
        && $0.capturedAt == word.capturedAt && word.repeats($0)
    }?.run
  }
}

/// The member `undone` of a document.
extension UndoneRuns {
  /// The member; nil if no run was ever undone.
  var encoded: JSONValue? {
    guard !isEmpty else { return nil }
    return .object(
      Dictionary(uniqueKeysWithValues: times.map { ($0.rawValue, .number(Double($1))) }))
  }

  /// Nil where that does not have the form.
  init?(_ value: JSONValue?) {
    var times: [RunID: Int] = [:]
    if let value {
      guard let members = value.objectValue else { return nil }
      for (name, number) in members {
        guard let run = RunID(rawValue: name),
          let number = number.numberValue.flatMap(Int.init(exactly:)), number > 0
        else { return nil }
        times[run] = number
      }
    }
    self.init(times)
  }
}
