/// Text that must not appear in a log, error or dump: every description of it is `<secret>`.
public struct Secret: Hashable, Sendable {
  /// The text itself. Pass it only to code that signs, sends or keeps it.
  public let revealed: String

  /// A key, token or password.
  public init(_ text: String) { revealed = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `<secret>`.
  public var description: String { "<secret>" }
  /// `<secret>`.
  public var debugDescription: String { "<secret>" }
  /// Without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
