internal import HTTPTypes
package import HealthModel
internal import Hummingbird

/// A request whose device is known, with its whole body.
package struct AuthenticatedRequest: Sendable {
  package let device: AuthenticatedDevice
  /// Unpacked, at most `HubLimits.bodyBytes`; empty where there was none.
  package let body: [UInt8]
  /// When the server received it, by the store's clock where that is known.
  package var receivedAt: Timestamp { order.timestamp }
  /// The same to the microsecond. Of a request that stores something, it is later than that of every
  /// one that was acknowledged before this one came (R46).
  package let order: PreciseMoment
  /// What stands after `?` in the target, as it was sent; nil if there is no `?`.
  package let query: String?
  /// The server's name as the client knows it.
  let host: String
  private let fields: HTTPFields

  init(
    device: AuthenticatedDevice, body: [UInt8], order: PreciseMoment, query: String?, host: String,
    fields: HTTPFields
  ) {
    (self.device, self.body, self.order) = (device, body, order)
    (self.query, self.host, self.fields) = (query, host, fields)
  }

  /// The value of a header field, by its name in any case; nil if it is absent. Where there are
  /// several of one name, they are joined by commas.
  package func header(_ name: String) -> String? {
    HTTPField.Name(name).flatMap { fields[$0] }
  }

  /// What the client calls the request, to send it again under the same name; nil if it does not.
  var idempotencyKey: String? {
    get throws(RequestFailure) {
      guard let key = header("Idempotency-Key") else { return nil }
      guard (1...200).contains(key.utf8.count), key.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
      else {
        throw RequestFailure(
          400, "invalid_header", "Idempotency-Key must have 1 to 200 printable ASCII characters")
      }
      return key
    }
  }
}
