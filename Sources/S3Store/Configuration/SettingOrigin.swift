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
