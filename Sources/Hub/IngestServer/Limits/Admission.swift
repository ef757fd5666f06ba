import Synchronization

/// Decides whether a device may send another request now (R54).
final class Admission: Sendable {
  private let rates: Mutex<DeviceRates>
  private let bytes: Mutex<BytesInFlight>
  private let begun = ContinuousClock.now

  init(_ limits: HubLimits) {
    rates = Mutex(DeviceRates(perSecond: limits.requestsPerSecond, burst: limits.requestBurst))
    bytes = Mutex(
      BytesInFlight(perDevice: limits.deviceBytesInFlight, total: limits.bytesInFlight))
  }

  /// Takes one request of a device.
  func admit(_ device: String) throws(RequestFailure) {
    let now = (ContinuousClock.now - begun) / .seconds(1)
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
