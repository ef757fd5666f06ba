/// One breach of a rule of SPEC.md in a document, with a stable code and where it stands.
public struct Violation: Hashable, Sendable {
  /// The rule, `R10`.
  public let rule: String
  /// A stable word for programs, such as `number_without_ok`; SPEC.md lists them all.
  public let code: String
  /// JSON pointer (RFC 6901) into the document; empty for the whole.
  public let pointer: String
  /// What is wrong, for a person.
  public let message: String
  /// True where this alone makes the document unreadable, so that readers pass it over (R41).
  public let hidesDocument: Bool

  package init(
    rule: String, code: String, pointer: String, message: String,
    hidesDocument: Bool = true
  ) {
    (self.rule, self.code, self.pointer, self.message) = (rule, code, pointer, message)
    self.hidesDocument = hidesDocument
  }
}
