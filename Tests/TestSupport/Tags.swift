package import Testing

/// What a test needs: each suite says one of the first three, and `slow` beside it where it takes long.
/// `scripts/test quick` runs the unit tests that are not slow.
extension Tag {
  /// This process and the files of the machine.
  @Tag package static var unit: Self
  /// A program that is run: s3health, a Python peer, a browser.
  @Tag package static var process: Self
  /// A server that is not written here, or s3healthd.
  @Tag package static var server: Self
  /// Six seconds of a processor or more: all orders of events, much data, every changed byte.
  @Tag package static var slow: Self
}
