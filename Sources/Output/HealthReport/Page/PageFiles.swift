import ContentDigests

/// What pages have beside their markup: styles, the script and icons, as they stand in Resources.
package enum PageFiles {
  /// The styles of a report, which stand in its page.
  static let reportStyles = PackageResources.report_css

  /// What the Content-Security-Policy of a report allows: these styles and nothing else.
  static let reportStylesHash = hash(of: reportStyles)

  /// A source of a Content-Security-Policy.
  static func hash(of text: [UInt8]) -> String {
    var digest = ContentDigest()
    digest.update(text)
    return "sha256-\(Base64.encode(digest.finish()))"
  }

  /// A file that the hub serves for its pages.
  package struct Served: Sendable {
    package let path: String
    package let type: String
    package let bytes: [UInt8]
  }

  /// Those of the hub's pages (R59). There is no service worker: nothing of the pages is kept on a phone.
  package static let served = [
    Served(
      path: PageFrame.Paths.styles, type: "text/css; charset=utf-8",
      bytes: reportStyles + PackageResources.dashboard_css),
    Served(
      path: PageFrame.Paths.script, type: "text/javascript; charset=utf-8",
      bytes: PackageResources.dashboard_js),
    Served(
      path: PageFrame.Paths.icon, type: "image/svg+xml", bytes: PackageResources.dashboard_svg),
    // The same ring for phones that take no drawing.
    Served(
      path: PageFrame.Paths.picture, type: "image/png", bytes: PackageResources.dashboard_png),
    Served(
      path: PageFrame.Paths.manifest, type: "application/manifest+json",
      bytes: PackageResources.dashboard_webmanifest),
  ]
}
