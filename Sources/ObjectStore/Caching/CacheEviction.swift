/// Decides which entries of the cache to remove to make room for a new one; pure.
struct CacheEviction {
  /// An entry of the cache.
  struct Entry: Hashable {
    let name: String
    /// Bytes that it takes on the disk.
    let size: Int
    /// Seconds since 1970, precise to a day.
    let lastUsed: Int
  }

  /// The entries to remove, the least recently used first.
  let victims: [Entry]
  /// Bytes that the remaining entries take.
  let rest: Int

  /// Removes nothing if `room` more bytes fit into `limit`. Otherwise it also frees an eighth of
  /// the limit, so that a full folder need not be searched again for each new entry.
  init(_ entries: [Entry], limit: Int, room: Int) {
    let total = entries.reduce(0) { $0 + $1.size }
    guard total + room > limit else {
      (victims, rest) = ([], total)
      return
    }
    let goal = max(0, limit - limit / 8 - room)
    var left = total
    victims = Array(
      entries.sorted { ($0.lastUsed, $0.name) < ($1.lastUsed, $1.name) }.prefix { entry in
        guard left > goal else { return false }
        left -= entry.size
        return true
      })
    rest = left
  }
}
