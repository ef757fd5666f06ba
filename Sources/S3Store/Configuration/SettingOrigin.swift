/// One setting, its value and where it came from, for `doctor`; never a secret.
package struct SettingOrigin: Hashable, Sendable {
  /// Such as `region`.
  package let setting: String
  /// The value in force, as a person would write it.
  package let value: String
  /// Such as `AWS_REGION`, `~/.aws/config [profile x]`, `default`.
  package let origin: String

  package init(_ setting: String, value: String, origin: String) {
    (self.setting, self.value, self.origin) = (setting, value, origin)
  }
}

/// A setting's value and where it was found; the value may be a secret.
struct FoundSetting: Sendable, CustomStringConvertible, CustomReflectable {
  let value: String
  let origin: String

  init(_ value: String, _ origin: String) { (self.value, self.origin) = (value, origin) }

  /// The same, with the value named that it is used instead of; a configuration file holds no secret.
  func overruling(_ value: String, of file: String) -> FoundSetting {
    self.value == value ? self : FoundSetting(self.value, "\(origin), before \(value) of \(file)")
  }

  var description: String { "a setting from \(origin)" }
  var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }
}
