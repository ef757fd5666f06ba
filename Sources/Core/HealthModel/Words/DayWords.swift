/// All that the sources say of one day (R20). Pure.
///
/// Joining is commutative, associative and idempotent: whoever joins the same words, in whatever order,
/// has the same.
package struct DayWords: Hashable, Sendable {
  private var registers: [Word.Register: Word] = [:]

  package init() {}

  package init(_ words: some Sequence<Word>) {
    for word in words { join(word) }
  }

  package var isEmpty: Bool { registers.isEmpty }
  package var count: Int { registers.count }

  /// In no order.
  package var all: some Collection<Word> { registers.values }

  /// In canonical order.
  package var sorted: [Word] {
    registers.values.sorted { a, b in
      if a.source != b.source { return a.source < b.source }
      if a.group != b.group { return a.group < b.group }
      if a.zone != b.zone { return a.zone.utf8.lexicographicallyPrecedes(b.zone.utf8) }
      return a.extent.place < b.extent.place
    }
  }

  package mutating func join(_ word: Word) {
    let register = word.register
    if let standing = registers[register], !word.outranks(standing) { return }
    registers[register] = word
  }

  package mutating func join(_ other: DayWords) {
    for word in other.registers.values { join(word) }
  }

  package func joined(_ other: DayWords) -> DayWords {
    var joined = self
    joined.join(other)
    return joined
  }

  /// The word that stands where this one would.
  func standing(_ word: Word) -> Word? { registers[word.register] }

  /// Those of some words that say something new (R20). What a source says again for the same part of the
  /// day is left out, so a file that is written every five minutes with equal numbers makes no revision.
  /// An authority's word counts all the same if it would change a figure.
  package func news(_ words: [Word]) -> [Word] {
    let hasZones = Set(registers.keys.lazy.map(\.zone)).count > 1
    var before: Fold?
    var after: Fold?
    return words.filter { word in
      guard let standing = standing(word), word.repeats(standing) else { return true }
      if hasZones, movedOn(standing, before: word) { return true }
      guard word.isAuthority, word.outranks(standing) else { return false }
      let (old, new) = (before ?? Fold(self), after ?? Fold(joined(DayWords(words))))
      (before, after) = (old, new)
      return word.group.metrics.contains { old.reading(of: $0) != new.reading(of: $0) }
    }
  }

  /// Whether the word's source has since said another zone's day of the group.
  private func movedOn(_ standing: Word, before word: Word) -> Bool {
    registers.contains { register, other in
      register.source == standing.source && register.group == standing.group
        && register.zone != standing.zone && other.said > standing.said && other.said < word.said
    }
  }

  /// Those that fulfil a condition.
  package func filter(_ isKept: (Word) -> Bool) -> DayWords {
    var kept = self
    kept.registers = registers.filter { isKept($0.value) }
    return kept
  }
}

extension DayWords: CustomStringConvertible {
  package var description: String {
    sorted.prefix(8).map(\.description).joined(separator: "; ")
      + (count > 8 ? "; \(count - 8) more" : "")
  }
}

extension Word: CustomStringConvertible {
  package var description: String {
    let said = readings.map { $0.number.map { "\($0)" } ?? $0.status.rawValue }.joined(
      separator: "/")
    return
      "\(source.rawValue) \(group.first.rawValue) \(said) [\(extent.from.map { "\($0)" } ?? "") "
      + "\(extent.to.map { "\($0)" } ?? "")) at \(capturedAt) in \(zone)\(isAuthority ? " !" : "")"
  }
}
