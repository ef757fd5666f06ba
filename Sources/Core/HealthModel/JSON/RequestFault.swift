/// One fault in a posted body: a request, one of its entries (R46), the body of an app (R55), or a
/// record (R56).
public struct RequestFault: Error, Hashable, Sendable {
  /// What kind of fault it is.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// More bytes or entries than a batch may have.
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

    // Records (R56) use the following codes instead of `not_json`, `too_large` and `invalid_member`.

    /// The body is not a single JSON value.
    case syntax
    /// More records than a request may have.
    case tooManyRecords = "too_many_records"
    /// A value has the wrong type.
    case wrongType = "wrong_type"
    /// A value has the right type but is not valid.
    case invalidValue = "invalid_value"
    /// A value is out of bounds.
    case outOfBounds = "out_of_bounds"
  }

  /// What kind of fault it is.
  public let code: Code
  /// The JSON pointer of the member at fault, relative to the checked value; empty for all of it.
  public let pointer: String
  /// A sentence that says what is wrong. It quotes at most 40 characters of the body.
  public let message: String

  package init(_ code: Code, _ pointer: String, _ message: String) {
    (self.code, self.pointer, self.message) = (code, pointer, message)
  }

  /// A fault of the whole value.
  package init(_ code: Code, _ message: String) { self.init(code, "", message) }

  /// The same fault, of the entry at an index of `data`.
  package func inEntry(at index: Int) -> RequestFault {
    RequestFault(code, "/data/\(index)\(pointer)", message)
  }
}

/// Why a posted body was refused: its first faults, in order, and the number of all faults.
public struct IngestRefusal: Error, Hashable, Sendable {
  /// The first faults.
  public private(set) var faults: [RequestFault] = []
  /// The number of all faults, including those that are not kept.
  public private(set) var count = 0
  private let maximum: Int

  /// - Parameter maximum: how many faults are kept.
  package init(_ faults: [RequestFault] = [], keeping maximum: Int = 100) {
    self.maximum = maximum
    for fault in faults { add(fault) }
  }

  package mutating func add(_ fault: RequestFault) {
    count += 1
    if faults.count < maximum { faults.append(fault) }
  }
}
