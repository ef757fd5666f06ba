import HealthModel

/// Which samples an outbox remembers, so that it can file their deletions (R47). Pure.
struct MemoryRule: Hashable, Sendable {
  /// 400 days.
  static let seconds = 34_560_000
  /// How many parts the memory has.
  static let parts = 64

  /// The receiver's time at its last confirmation: this machine's clock may be wrong by years.
  let receiverTime: Timestamp

  /// Samples that ended before this moment are not remembered.
  static func oldest(at time: Timestamp) -> Timestamp { time.adding(seconds: -seconds) }

  var oldest: Timestamp { Self.oldest(at: receiverTime) }

  /// The first and the last id of the part that is searched on this day. So a sync
  /// reads little of a large memory, and all of it is searched in 64 days.
  var part: (first: [UInt8], last: [UInt8]) {
    let day = receiverTime.secondsSince1970 / 86_400
    let width = 256 / Self.parts
    let first = (day % Self.parts + Self.parts) % Self.parts * width
    return (
      [UInt8(first)], [UInt8(first + width - 1)] + [UInt8](repeating: 0xFF, count: 15)
    )
  }
}
