/// Which copies must go so that the others fit; pure.
struct CopyEviction {
  /// A copy in the folder.
  struct Copy: Hashable {
    let name: String
    /// Bytes that it takes on the disk.
    let size: Int
    /// Seconds since 1970, to the day.
    let lastUsed: Int
  }

  /// The copies to remove, those first that were not used for longest.
  let victims: [Copy]
  /// Bytes that the others take.
  let rest: Int

  /// Removes nothing while `room` bytes more fit into `limit`; else so much that an eighth of it is
  /// free beside them, so that a full folder is not gone through for every copy.
  init(_ copies: [Copy], limit: Int, room: Int) {
    let total = copies.reduce(0) { $0 + $1.size }
    guard total + room > limit else {
      (victims, rest) = ([], total)
      return
    }
    let goal = max(0, limit - limit / 8 - room)
    var left = total
    victims = Array(
      copies.sorted { ($0.lastUsed, $0.name) < ($1.lastUsed, $1.name) }.prefix { copy in
        guard left > goal else { return false }
        left -= copy.size
        return true
      })
    rest = left
  }
}
