/// Why a proxy does not take a request: the status that it answers before it closes.
struct RequestRefusal: Error, Hashable, Sendable {
  let status: Int
  let reason: String

  static let malformed = RequestRefusal(status: 400, reason: "Bad Request")
  static let lengthRequired = RequestRefusal(status: 411, reason: "Length Required")
  static let bodyTooLarge = RequestRefusal(status: 413, reason: "Content Too Large")
  static let headTooLarge = RequestRefusal(status: 431, reason: "Request Header Fields Too Large")
  static let notImplemented = RequestRefusal(status: 501, reason: "Not Implemented")
  static let version = RequestRefusal(status: 505, reason: "HTTP Version Not Supported")
  static let tooSlow = RequestRefusal(status: 408, reason: "Request Timeout")
}
