import Synchronization

/// Decides whether a device may send another request now (R54).
final class Admission: Sendable {
  private let rates: Mutex<DeviceRates>
  private let bytes: Mutex<BytesInFlight>
  private let elapsed = ElapsedTime()

  init(_ limits: HubLimits) {
    rates = Mutex(DeviceRates(perSecond: limits.requestsPerSecond, burst: limits.requestBurst))
    bytes = Mutex(
      BytesInFlight(perDevice: limits.deviceBytesInFlight, total: limits.bytesInFlight))
  }

  /// Takes one request of a device.
  func admit(_ device: String) throws(RequestFailure) {
    let now = elapsed.seconds
    if let wait = rates.withLock({ $0.admit(device, at: now) }) {
      throw RequestFailure(
        429, "too_many_requests", "the device sends too many requests", retryAfter: wait)
    }
  }

  private func reserve(
    _ count: Int, for device: String, own: Int
  ) throws(RequestFailure) {
    switch bytes.withLock({ $0.reserve(count, for: device, own: own) }) {
    case .admitted: return
    case .deviceIsFull:
      throw RequestFailure(
        429, "too_many_requests", "the device sends too much at once", retryAfter: 1)
    case .isFull: throw .unavailable("the server holds too much at the moment", retryAfter: 1)
    }
  }

  /// The bytes that one request holds, which grow with what arrives, and go with it.
  final class Hold: Sendable {
    private let admission: Admission
    private let device: String
    private let bytes = Mutex(0)

    init(_ admission: Admission, of device: String) {
      (self.admission, self.device) = (admission, device)
    }

    deinit { admission.release(count, of: device) }

    /// Takes as much room as is missing.
    func grow(to count: Int) throws(RequestFailure) {
      let own = self.count
      guard count > own else { return }
      try admission.reserve(count - own, for: device, own: own)
      bytes.withLock { $0 = count }
    }

    var count: Int { bytes.withLock(\.self) }
  }

  private func release(_ count: Int, of device: String) {
    bytes.withLock { $0.release(count, of: device) }
  }
}

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

/// How many requests each device may still send: a bucket of tokens each (R54). Pure.
struct DeviceRates: Hashable, Sendable {
  private let perSecond: Double
  private let burst: Double
  private var buckets: [String: Bucket] = [:]

  private struct Bucket: Hashable, Sendable {
    var level: Double
    var at: Double
  }

  init(perSecond: Int, burst: Int) {
    (self.perSecond, self.burst) = (Double(perSecond), Double(max(1, burst)))
  }

  /// Takes one request of a device.
  ///
  /// - Parameter now: seconds since any fixed moment.
  /// - Returns: nil if it may be sent; else in how many seconds the next one may.
  mutating func admit(_ device: String, at now: Double) -> Int? {
    guard perSecond > 0 else { return nil }
    var bucket = buckets[device] ?? Bucket(level: burst, at: now)
    bucket.level = min(burst, bucket.level + max(0, now - bucket.at) * perSecond)
    bucket.at = now
    defer { buckets[device] = bucket }
    guard bucket.level >= 1 else {
      return max(1, Int(((1 - bucket.level) / perSecond).rounded(.up)))
    }
    bucket.level -= 1
    return nil
  }
}

/// What one client may ask of the server (R54).
package struct HubLimits: Hashable, Sendable {
  /// The most bytes of a body, packed and unpacked.
  package var bodyBytes = 8_388_608
  /// The same of a request with entries of a stream, which are stored part by part.
  package var ingestBytes = 67_108_864
  /// How long a body may take to arrive, in seconds; a longer one, for each `bodyBytes` of its.
  package var bodySeconds = 60
  /// How long a route may take, in seconds, of a longer body for each `bodyBytes` of its: a receipt
  /// is given up after it.
  package var handlingSeconds = 60
  /// After how many seconds a silent connection is closed.
  package var idleSeconds = 75
  /// The most connections at a time. A further one takes the place of an idle one, or is answered
  /// 503.
  package var connections = 2048
  /// The most of one address, so that others still get in.
  package var connectionsPerAddress: Int { max(1, connections - connections / 4) }
  /// How many bytes of bodies are held at a time, of one device and of all.
  package var deviceBytesInFlight = 33_554_432
  package var bytesInFlight = 134_217_728
  /// How many requests a second one device may send on average, and how many at once. 0: any number.
  package var requestsPerSecond = 100
  package var requestBurst = 400
  /// The most UTC dates of one batch, each of which becomes an object and a day to derive.
  package var datesPerBatch = 366

  package init() {}
}
