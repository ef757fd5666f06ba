/// The part of a bucket that a policy must open for one key, so that a remedy asks for no more than
/// the program needs. A right on the whole bucket would let a thief of the keys delete all data.
enum PolicyArea {
  /// The narrowest folder of the program's own that holds the key, with its final `/`:
  /// `me/health/v0/.probe/`, `me/health/v0/`, `me/streams/v0/.pending/`, `me/streams/v0/`, or the
  /// folder of races. Nil if the key lies in none of them.
  static func folder(of key: String) -> String? {
    // By scalars: a character that combines with a slash must not hide it.
    let segments = key.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
      .map { String($0) }
    guard let count = length(segments) else { return nil }
    return segments.prefix(count).joined(separator: "/") + "/"
  }

  /// How many segments the folder has; nil if there is none.
  private static func length(_ segments: [String]) -> Int? {
    // What follows is a random name, which no policy can know.
    if let race = segments.dropLast().firstIndex(of: ".s3health-race") { return race + 1 }
    let root = segments.indices.last { index in
      index + 2 < segments.count && segments[index + 1] == "v0" && inner[segments[index]] != nil
    }
    guard let root else { return nil }
    let isInner = root + 3 < segments.count && inner[segments[root]] == segments[root + 2]
    return root + (isInner ? 3 : 2)
  }

  /// The parts of the layouts, each with the folder in which objects are deleted: scratch objects of
  /// the probe, and markers of days that are to be counted.
  private static let inner = ["health": ".probe", "streams": ".pending"]
}
