internal import HTTPTypes
package import HealthModel
internal import Hummingbird

/// A request whose device is known, with its whole body.
package struct AuthenticatedRequest: Sendable {
  package let device: AuthenticatedDevice
  /// Unpacked, at most `HubLimits.bodyBytes`; empty where there was none.
  package let body: [UInt8]
  /// When the server received it, by the store's clock where that is known.
  package let receivedAt: Timestamp
  /// What stands after `?` in the target, as it was sent; nil if there is no `?`.
  package let query: String?
  private let fields: HTTPFields

  init(
    device: AuthenticatedDevice, body: [UInt8], receivedAt: Timestamp, query: String?,
    fields: HTTPFields
  ) {
    (self.device, self.body, self.receivedAt) = (device, body, receivedAt)
    (self.query, self.fields) = (query, fields)
  }

  /// The value of a header field, by its name in any case; nil if it is absent. Where there are
  /// several of one name, they are joined by commas.
  package func header(_ name: String) -> String? {
    HTTPField.Name(name).flatMap { fields[$0] }
  }
}
