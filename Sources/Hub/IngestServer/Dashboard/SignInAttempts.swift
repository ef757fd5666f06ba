import ContentDigests

/// How many wrong tokens each address may still send (R59). Pure.
struct SignInAttempts: Hashable, Sendable {
  /// So many at once, then one in so many seconds.
  static let burst = 10.0
  static let pause = 6.0
  /// The most addresses that are remembered; the one that is nearest to be forgotten goes first.
  static let maximumAddresses = 1000

  private var debts: [String: Debt] = [:]

  private struct Debt: Hashable, Sendable {
    var attempts: Double
    var at: Double

    func left(at now: Double) -> Double { max(0, attempts - (now - at) / SignInAttempts.pause) }
  }

  /// In how many seconds the address may try again; nil if it may now.
  func wait(_ address: String, at now: Double) -> Int? {
    let left = debts[Self.network(address)]?.left(at: now) ?? 0
    guard left > Self.burst - 1 else { return nil }
    return max(1, Int(((left - (Self.burst - 1)) * Self.pause).rounded(.up)))
  }

  /// A wrong token came from the address.
  mutating func failed(_ address: String, at now: Double) {
    let network = Self.network(address)
    let left = debts[network]?.left(at: now) ?? 0
    if debts[network] == nil, debts.count >= Self.maximumAddresses {
      debts = debts.filter { $0.value.left(at: now) > 0 }
      let least = debts.min { $0.value.left(at: now) < $1.value.left(at: now) }
      if debts.count >= Self.maximumAddresses, let least { debts[least.key] = nil }
    }
    debts[network] = Debt(attempts: min(Self.burst, left + 1), at: now)
  }

  /// One household has 2^64 addresses of IPv6: they count as one.
  static func network(_ address: String) -> String {
    InternetAddress(address).map { Hex.string(Array($0.bytes.prefix(8))) } ?? address
  }
}
