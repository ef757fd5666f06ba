/// Feeds that have all samples of a person, merged from all devices (R49).
package enum CompleteFeed {
  /// Samples of Apple Health's exports.
  package static let appleExport = "apple_health_export"
}
