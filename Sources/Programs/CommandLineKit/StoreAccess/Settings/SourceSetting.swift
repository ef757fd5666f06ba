/// Where days come from if no input is given, and the origin of that setting.
package struct SourceSetting: Hashable, Sendable {
  /// A payload, a folder of payloads, or an Apple Health export; `streams` for the store's own
  /// samples.
  package let path: String
  package let origin: String
  /// Whether days come from the samples in the store's streams (R49). A folder of that name is
  /// `./streams`.
  package let isStreams: Bool

  /// A path from a variable or the configuration file. `~/` is the home folder. In the file, a
  /// relative path starts at the file's own folder.
  init(_ given: Sourced<String>, _ file: ConfigurationFile, home: String) {
    origin = given.origin
    isStreams = given.value == Self.streams
    if isStreams {
      path = given.value
    } else if given.value == "~" || given.value.hasPrefix("~/") {
      path = home + given.value.dropFirst()
    } else if given.value.hasPrefix("/") || given.origin != file.path {
      path = given.value
    } else {
      path = file.folder + "/" + given.value
    }
  }

  /// The word that stands for the store's streams.
  package static let streams = "streams"
}
