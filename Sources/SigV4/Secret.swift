/// Text that must reach no log, error or dump: every description of it is `<secret>`.
package struct Secret: Hashable, Sendable {
  /// The text itself; to be passed on only to what signs or sends it.
  package let revealed: String

  package init(_ text: String) { revealed = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "<secret>" }
  package var debugDescription: String { "<secret>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
