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

  /// Takes room for a body. Release it when the request has been answered.
  func reserve(_ count: Int, for device: String) throws(RequestFailure) {
    switch bytes.withLock({ $0.reserve(count, for: device) }) {
    case .admitted: return
    case .deviceIsFull:
      throw RequestFailure(
        429, "too_many_requests", "the device sends too much at once", retryAfter: 1)
    case .isFull: throw .unavailable("the server holds too much at the moment", retryAfter: 1)
    }
  }

  func release(_ count: Int, of device: String) {
    bytes.withLock { $0.release(count, of: device) }
  }
}
