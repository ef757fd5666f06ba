import Foundation

/// Programs that were built with these tests.
package enum BuiltProgram {
  /// The path of one, by its name.
  package static func path(_ name: String) -> String { folder.appending(path: name).path }

  #if os(macOS)
    // The tests are a bundle that another program loads; it lies beside what was built.
    private final class InBundle {}
    private static let folder = Bundle(for: InBundle.self).bundleURL.deletingLastPathComponent()
  #else
    private static let folder =
      (Bundle.main.executableURL ?? ProjectTree.root).deletingLastPathComponent()
  #endif
}
