import HealthModel

/// How many days came from where: time zones, or collectors. Names are anybody's, so both their
/// length and their number are bounded.
package struct OriginDigest: Sendable {
  /// Most names that are shown.
  static let maximumNames = 50
  /// Most scalars of a name.
  static let maximumLength = 120

  private var days: [String: Int] = [:]
  /// Days of names beyond the most that are shown.
  package private(set) var others = 0

  mutating func add(_ name: String) {
    let bounded = name.bounded(to: Self.maximumLength)
    if days.count < Self.maximumNames || days[bounded] != nil {
      days[bounded, default: 0] += 1
    } else {
      others += 1
    }
  }

  /// The most frequent first.
  package var ordered: [(name: String, days: Int)] {
    days.map { (name: $0.key, days: $0.value) }.sorted {
      ($1.days, $0.name) < ($0.days, $1.name)
    }
  }
}

extension String {
  /// The first scalars of the text, and an ellipsis where there are more.
  func bounded(to count: Int) -> String {
    guard
      let end = unicodeScalars.index(
        unicodeScalars.startIndex, offsetBy: count, limitedBy: unicodeScalars.endIndex),
      end < unicodeScalars.endIndex
    else { return self }
    return String(unicodeScalars[..<end]) + "…"
  }
}
