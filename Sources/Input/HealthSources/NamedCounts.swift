/// Names that an input holds, each with its count: bounded in memory, and whole in words.
enum NamedCounts {
  /// Most names that are kept.
  private static let maximumNames = 1000
  /// The most characters of one.
  private static let longest = 64

  /// Counts a name's occurrences, as long as there is room for another name.
  static func count(_ count: Int, of name: String, in table: inout [String: Int]) {
    let name = String(name.prefix(longest))
    guard table[name] != nil || table.count < maximumNames else { return }
    table[name, default: 0] += count
  }

  /// All names with their counts.
  static func list(_ table: [String: Int], _ one: String, _ many: String) -> String {
    table.sorted { $0.key < $1.key }.map { name, count in
      "\(name) (\(count) \(count == 1 ? one : many))"
    }.joined(separator: ", ")
  }
}
