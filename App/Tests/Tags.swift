import Testing

/// The tags of the package's tests, where the package's own are out of reach.
extension Tag {
  /// This process and the files of the machine.
  @Tag static var unit: Self
}
