/// Why an object that has a batch's key is not a batch (R46).
public struct BatchFault: Error, Hashable, Sendable {
  /// What kind of fault it is.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The store holds something there that can't be read.
    case unreadable = "unreadable_object"
    /// Not gzip, cut off, or its checksum is wrong.
    case notGzip = "not_gzip"
    /// More bytes than a batch may have.
    case tooLarge = "too_large"
    /// Not one JSON object.
    case notJSON = "not_json"
    /// A member that every batch has is missing or not valid.
    case notABatch = "not_a_batch"
    /// The id is not the digest of the content.
    case wrongDigest = "wrong_digest"
    /// `total_records` is not the number of entries.
    case wrongTotal = "wrong_total"
    /// An entry is not valid.
    case invalidEntry = "invalid_entry"
    /// The key names another stream, device, date or id than the content.
    case misplaced = "misplaced"
  }

  /// What kind of fault it is.
  public let code: Code
  /// A sentence that says what is wrong. It quotes at most 40 characters of the object.
  public let message: String

  init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
}
