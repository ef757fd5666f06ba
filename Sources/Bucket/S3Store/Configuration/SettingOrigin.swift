/// One setting, its value and its origin, for `doctor`. Never a secret.
package struct SettingOrigin: Hashable, Sendable {
  /// The setting's name, such as `region`.
  package let setting: String
  /// The effective value, as a person would write it.
  package let value: String
  /// The origin, such as `AWS_REGION`, `~/.aws/config [profile x]`, `default`.
  package let origin: String

  package init(_ setting: String, value: String, origin: String) {
    (self.setting, self.value, self.origin) = (setting, value, origin)
  }
}

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
