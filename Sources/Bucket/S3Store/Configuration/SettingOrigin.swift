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
