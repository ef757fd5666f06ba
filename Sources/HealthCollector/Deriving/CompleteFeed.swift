/// Feeds that tell of all samples of a person, merged of all devices (R49).
package enum CompleteFeed {
  /// Samples of Apple Health's exports.
  package static let appleExport = "apple_health_export"
}
