/// One fault in a posted body: a request, one of its entries, or the body of an app (R46).
public struct RequestFault: Error, Hashable, Sendable {
  /// What kind of fault it is.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// More bytes than `SealedBatch.maximumBytes`, or more entries than `maximumRecords`.
    case tooLarge = "too_large"
    /// The body is not one JSON text, or a member occurs twice.
    case notJSON = "not_json"
    /// Valid JSON, but not the form that the app sends.
    case notRecognised = "not_recognised"
    /// A value that must be an object is another one.
    case notAnObject = "not_an_object"
    /// A member is missing.
    case missingMember = "missing_member"
    /// A member is of another type, form or range.
    case invalidMember = "invalid_member"
    /// A member that the format does not have.
    case unknownMember = "unknown_member"
    /// `stream_name` is not one of the three.
    case unknownStream = "unknown_stream"
    /// `total_records` is not the length of `data`.
    case wrongTotal = "wrong_total"
  }

  /// What kind of fault it is.
  public let code: Code
  /// The JSON pointer of the member at fault, relative to the checked value; empty for all of it.
  public let pointer: String
  /// A sentence that says what is wrong. It quotes at most 40 characters of the body.
  public let message: String

  init(_ code: Code, _ pointer: String, _ message: String) {
    (self.code, self.pointer, self.message) = (code, pointer, message)
  }

  /// A fault of the whole value.
  init(_ code: Code, _ message: String) { self.init(code, "", message) }

  /// The same fault, of the entry at an index of `data`.
  func inEntry(at index: Int) -> RequestFault {
    RequestFault(code, "/data/\(index)\(pointer)", message)
  }
}

/// Why a request body was refused: its faults, the first `maximumFaults` of them in their order.
public struct IngestRefusal: Error, Hashable, Sendable {
  /// The most faults that are reported.
  public static let maximumFaults = 100

  /// At least one fault.
  public let faults: [RequestFault]
  /// How many faults there are, those beyond the maximum included.
  public let count: Int

  package init(_ faults: [RequestFault]) {
    (self.faults, count) = (Array(faults.prefix(Self.maximumFaults)), faults.count)
  }
}
