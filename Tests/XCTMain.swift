import Testing

/// Where the tests begin. With this file SwiftPM does not look for XCTest's cases, so that no index of
/// the sources is needed, which took a seventh of the compiler's time.
@main struct Main {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
