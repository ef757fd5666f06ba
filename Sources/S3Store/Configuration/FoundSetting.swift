/// A setting's value and where it was found; the value may be a secret.
struct FoundSetting: Sendable, CustomStringConvertible, CustomReflectable {
  let value: String
  let origin: String

  init(_ value: String, _ origin: String) { (self.value, self.origin) = (value, origin) }

  var description: String { "a setting from \(origin)" }
  var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }
}
