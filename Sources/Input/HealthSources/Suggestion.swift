/// Finds the name that somebody probably meant.
package enum Suggestion {
  /// The nearest of `names`: one that differs by a few letters, or that begins or ends alike.
  package static func nearest(to word: String, among names: [String]) -> String? {
    let word = Array(word.prefix(64).lowercased().utf8)
    guard !word.isEmpty else { return nil }
    let best = names.map { (name: $0, distance: distance(word, Array($0.utf8))) }
      .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
    if let best, best.distance <= max(1, min(word.count, best.name.utf8.count) / 3) {
      return best.name
    }
    guard word.count >= 3 else { return nil }
    return names.first { name in
      let name = Array(name.utf8)
      return name.starts(with: word) || word.starts(with: name)
        || name.reversed().starts(with: word.reversed())
    }
  }

  /// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var older: [Int] = []
    var old = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(row[j] + 1, old[j + 1] + 1, old[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, older[j - 1] + 1) }
        row.append(cost)
      }
      (older, old) = (old, row)
    }
    return old[b.count]
  }
}
