/// Where days come from if nobody says where, and who said so.
package struct SourceSetting: Hashable, Sendable {
  /// A payload, a folder of payloads, or an export of Apple Health.
  package let path: String
  package let origin: String

  /// A path as a variable or the configuration file has it: `~/` is the home folder, and in the file
  /// a relative path starts from the file's own folder.
  init(_ given: Given<String>, _ file: ConfigurationFile, home: String) {
    origin = given.origin
    if given.value == "~" || given.value.hasPrefix("~/") {
      path = home + given.value.dropFirst()
    } else if given.value.hasPrefix("/") || given.origin != file.path {
      path = given.value
    } else {
      path = file.folder + "/" + given.value
    }
  }
}
