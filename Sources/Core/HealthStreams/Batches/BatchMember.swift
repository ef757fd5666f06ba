package import HealthModel

/// What a batch says beside its entries, checked alike by who makes one and who reads one (R46).
package enum BatchMember {
  /// The UUID of a device in lower case.
  package static func deviceID(_ text: String) throws(RequestFault) -> String {
    guard let device = UUIDText.lowercased(text) else {
      throw RequestFault(.invalidMember, "/device_id", "\"device_id\" is not a UUID")
    }
    return device
  }

  /// The version of an app.
  package static func appVersion(_ text: String?) throws(RequestFault) -> String {
    try metadata("app_version", text)
  }

  /// What distinguishes a sealing from every other.
  static func session(_ text: String?) throws(RequestFault) -> String {
    try metadata("session", text)
  }

  private static func metadata(_ name: String, _ text: String?) throws(RequestFault) -> String {
    if let text, (1...100).contains(text.utf8.count) { return text }
    let pointer = "/batch_metadata/\(name)"
    throw RequestFault(.invalidMember, pointer, "\(pointer) is not a string of 1 to 100 bytes")
  }

  /// How many entries a batch may have.
  static func count(_ count: Int) throws(RequestFault) {
    guard count > 0 else { throw .noEntries }
    guard count <= SealedBatch.maximumRecords else {
      throw RequestFault(
        .tooLarge, "/data", "\"data\" has \(count) entries, more than \(SealedBatch.maximumRecords)"
      )
    }
  }

  /// How many bytes a body may have.
  static func size(_ bytes: Int) throws(RequestFault) {
    guard bytes <= SealedBatch.maximumBytes else {
      throw RequestFault(
        .tooLarge, "", "the body has \(bytes) bytes, more than \(SealedBatch.maximumBytes)")
    }
  }
}

extension RequestFault {
  static let noEntries = RequestFault(
    .invalidMember, "/data", "\"data\" is not an array of at least one entry")
}
