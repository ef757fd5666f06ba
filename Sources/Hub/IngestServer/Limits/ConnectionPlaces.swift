/// Which connections a server has, and which idle one makes room for a further one (R54). Pure.
struct ConnectionPlaces {
  private let most: Int
  private let mostOfOne: Int
  private var held: [Int: Place] = [:]
  private var counts: [String: Int] = [:]
  private var turn = 0

  private struct Place {
    let network: String
    /// When it became idle, as a turn; nil while it has a request without a whole answer.
    var idleSince: Int?
  }

  /// What becomes of a connection.
  enum Verdict: Hashable {
    case admitted
    /// It takes the place of the one that was idle for the longest time, which is to be closed.
    case admittedInsteadOf(Int)
    /// All places are taken by connections with requests.
    case refused
  }

  /// - Parameters:
  ///   - most: the most connections.
  ///   - mostOfOne: the most of one network, so that others still get in.
  init(most: Int, mostOfOne: Int) { (self.most, self.mostOfOne) = (most, mostOfOne) }

  /// A connection was accepted: it is idle until its first request.
  mutating func enter(_ connection: Int, of network: String) -> Verdict {
    let idle: Int?
    if counts[network] ?? 0 >= mostOfOne {
      idle = longestIdle { $0.network == network }
    } else if held.count >= most {
      idle = longestIdle { _ in true }
    } else {
      add(connection, network)
      return .admitted
    }
    guard let idle else { return .refused }
    leave(idle)
    add(connection, network)
    return .admittedInsteadOf(idle)
  }

  /// A request began, or its answer is whole.
  mutating func set(_ connection: Int, isIdle: Bool) {
    turn += 1
    held[connection]?.idleSince = isIdle ? turn : nil
  }

  mutating func leave(_ connection: Int) {
    guard let place = held.removeValue(forKey: connection) else { return }
    let count = (counts[place.network] ?? 0) - 1
    counts[place.network] = count > 0 ? count : nil
  }

  private mutating func add(_ connection: Int, _ network: String) {
    turn += 1
    held[connection] = Place(network: network, idleSince: turn)
    counts[network, default: 0] += 1
  }

  private func longestIdle(_ isMeant: (Place) -> Bool) -> Int? {
    held.filter { $0.value.idleSince != nil && isMeant($0.value) }
      .min { ($0.value.idleSince ?? 0) < ($1.value.idleSince ?? 0) }?.key
  }
}
