/// A setting's value and its origin; the value may be a secret.
struct FoundSetting: Sendable, CustomStringConvertible, CustomReflectable {
  let value: String
  let origin: String

  init(_ value: String, _ origin: String) { (self.value, self.origin) = (value, origin) }

  /// The same, with the value that it overrides named in its origin. A configuration file holds no
  /// secrets.
  func overruling(_ value: String, of file: String) -> FoundSetting {
    self.value == value ? self : FoundSetting(self.value, "\(origin), before \(value) of \(file)")
  }

  var description: String { "a setting from \(origin)" }
  var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }
}
