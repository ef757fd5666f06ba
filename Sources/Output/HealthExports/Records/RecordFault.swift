/// One thing that is wrong with posted records, and where.
package struct RecordFault: Hashable, Sendable {
  /// A stable word for programs.
  package enum Code: String, CaseIterable, Hashable, Sendable {
    case syntax
    case tooManyRecords = "too_many_records"
    case missingMember = "missing_member"
    case unknownMember = "unknown_member"
    case wrongType = "wrong_type"
    case invalidValue = "invalid_value"
    case outOfBounds = "out_of_bounds"
  }

  package let code: Code
  /// JSON pointer (RFC 6901) into the body; empty for the whole.
  package let pointer: String
  /// What is wrong, for a person; it quotes nothing of the body.
  package let message: String

  package init(_ code: Code, at pointer: String, _ message: String) {
    (self.code, self.pointer, self.message) = (code, pointer, message)
  }
}

/// Why posted records were not taken: every fault, in the order of the records.
package struct RecordFaults: Error, Hashable, Sendable {
  /// The first ones.
  package private(set) var listed: [RecordFault] = []
  /// How many there are in all.
  package private(set) var count = 0

  /// The most faults that are listed.
  package static let maximumListed = 1000

  package init() {}

  mutating func add(_ fault: RecordFault) {
    count += 1
    if listed.count < Self.maximumListed { listed.append(fault) }
  }
}
