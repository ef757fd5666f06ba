/// Finds the name that somebody probably meant.
enum Suggestion {
  /// The nearest of `names`: one that differs by a few letters, or that begins or ends alike.
  static func nearest(to word: String, among names: [String]) -> String? {
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

  /// Levenshtein's distance: insertions, deletions and substitutions.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let cost = min(row[j] + 1, row[j + 1] + 1, diagonal + (x == y ? 0 : 1))
        diagonal = row[j + 1]
        row[j + 1] = cost
      }
    }
    return row[b.count]
  }
}
