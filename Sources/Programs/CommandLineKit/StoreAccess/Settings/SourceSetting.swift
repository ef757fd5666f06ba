/// Where days come from if no input is given, and the origin of that setting.
package struct SourceSetting: Hashable, Sendable {
  /// A payload, a folder of payloads, or an Apple Health export; `streams` for the store's own
  /// samples.
  package let path: String
  package let origin: String
  /// Whether days come from the samples in the store's streams (R49). A folder of that name is
  /// `./streams`.
  package let isStreams: Bool

  /// The value of a variable or of the configuration file.
  init(_ given: Sourced<String>, _ file: ConfigurationFile, home: String) {
    origin = given.origin
    isStreams = given.value == Self.streams
    path = isStreams ? given.value : file.path(given, home: home).value
  }

  /// The word that stands for the store's streams.
  package static let streams = "streams"
}
