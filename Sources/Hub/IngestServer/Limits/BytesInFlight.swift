/// How many bytes of bodies the server holds (R54). Pure.
struct BytesInFlight: Hashable, Sendable {
  private let perDevice: Int
  private let total: Int
  private var held: [String: Int] = [:]
  private(set) var all = 0

  init(perDevice: Int, total: Int) { (self.perDevice, self.total) = (perDevice, total) }

  enum Verdict: Hashable, Sendable {
    case admitted
    /// The device has too many requests at once.
    case deviceIsFull
    /// All devices together have.
    case isFull
  }

  /// - Parameter own: what the same request holds already.
  mutating func reserve(
    _ bytes: Int, for device: String, own: Int = 0
  ) -> Verdict {
    let held = held[device] ?? 0
    // One request is always admitted: otherwise a limit below a body's size would refuse for ever.
    guard held == own || held + bytes <= perDevice else { return .deviceIsFull }
    guard all == own || all + bytes <= total else { return .isFull }
    self.held[device] = held + bytes
    all += bytes
    return .admitted
  }

  mutating func release(_ bytes: Int, of device: String) {
    all -= bytes
    let rest = (held[device] ?? 0) - bytes
    held[device] = rest > 0 ? rest : nil
  }
}
