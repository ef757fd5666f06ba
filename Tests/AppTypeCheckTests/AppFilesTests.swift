import Foundation
import HealthCollector
import TestSupport
import Testing

/// What the phone app promises in files that no compiler reads, and in its views.
@Suite(.unit) struct AppFilesTests {
  private static let app = ProjectTree.root.appending(path: "App")

  private func plist(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: Self.app.appending(path: "Resources/\(name)"))
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    return try #require(list as? [String: Any])
  }

  private func sources(_ folder: String) throws -> [(name: String, text: String)] {
    let root = Self.app.appending(path: "Sources/\(folder)")
    return try FileManager.default.contentsOfDirectory(atPath: root.path).sorted().map {
      ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8))
    }
  }

  @Test func `Info.plist says why each permission is needed, and names the modes and tasks`() throws
  {
    let info = try plist("Info.plist")
    for key in [
      "NSHealthShareUsageDescription", "NSLocationWhenInUseUsageDescription",
      "NSLocationAlwaysAndWhenInUseUsageDescription", "NSMicrophoneUsageDescription",
      "NSLocalNetworkUsageDescription",
    ] {
      #expect(((info[key] as? String) ?? "").count > 40, "\(key)")
    }
    #expect(
      info["UIBackgroundModes"] as? [String] == ["location", "audio", "fetch", "processing"])
    #expect(
      info["BGTaskSchedulerPermittedIdentifiers"] as? [String]
        == BackgroundTask.allCases.map { $0.identifier() })
    // A gateway at home is reached over plain http where the person allows it, and nothing else is.
    #expect(
      info["NSAppTransportSecurity"] as? [String: Bool] == ["NSAllowsLocalNetworking": true])
    // Without this, iCloud Drive does not show the days or share them with other apps.
    let containers = info["NSUbiquitousContainers"] as? [String: [String: Any]]
    let container = containers?["iCloud.com.jaces.ios"]
    #expect(container?["NSUbiquitousContainerIsDocumentScopePublic"] as? Bool == true)
    let rights = try plist("HealthData.entitlements")
    #expect(rights["com.apple.developer.healthkit"] as? Bool == true)
    #expect(
      rights["com.apple.developer.ubiquity-container-identifiers"] as? [String]
        == containers?.keys.sorted())
    #expect(rights["com.apple.developer.healthkit.background-delivery"] as? Bool == true)
    #expect(try plist("PrivacyInfo.xcprivacy")["NSPrivacyTracking"] as? Bool == false)
  }

  @Test func `the privacy manifest names each kind of Apple's calls that needs a reason`() throws {
    let manifest = try plist("PrivacyInfo.xcprivacy")
    let declared = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    let names = declared.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }
    #expect(
      declared.allSatisfy { ($0["NSPrivacyAccessedAPITypeReasons"] as? [String])?.count == 1 })
    let calls = [
      "UserDefaults": /UserDefaults\./,
      "DiskSpace": /\bf?statvfs\(|volumeAvailableCapacity/,
      "FileTimestamp": /\b[lf]?stat\(|fstatat\(|odificationDate|creationDate/,
      "SystemBootTime": /systemUptime|mach_absolute_time/,
      "ActiveKeyboards": /activeInputModes/,
    ]
    var texts = ""
    for folder in [
      "App/Sources", "Sources/Core", "Sources/Bucket", "Sources/Output", "Sources/Phone",
    ] {
      let root = ProjectTree.root.appending(path: folder)
      for name in try FileManager.default.subpathsOfDirectory(atPath: root.path)
      where name.hasSuffix(".swift") {
        texts += try String(contentsOf: root.appending(path: name), encoding: .utf8)
      }
    }
    for (kind, call) in calls {
      let isDeclared = names.contains("NSPrivacyAccessedAPICategory\(kind)")
      #expect(texts.contains(call) == isDeclared, "\(kind)")
    }
  }

  @Test func `the views name everything that is drawn for VoiceOver`() throws {
    let cards = try #require(try sources("Views").first { $0.name == "Cards.swift" }).text
    for type in ["ProgressRing", "LiveSign", "MetricCard"] {
      let body = try #require(cards.firstRange(of: "struct \(type)"))
      let next = cards[body.upperBound...].firstRange(of: "\nstruct ")?.lowerBound
      #expect(cards[body.upperBound..<(next ?? cards.endIndex)].contains(".accessibility"))
    }
    for (name, text) in try sources("Views") {
      // Fixed sizes of text don't grow with Dynamic Type; fixed colours can't be read in dark mode.
      #expect(!text.contains("system(size:"), "\(name)")
      #expect(!text.contains(/Color\(red:|Color\(hue:|[.](black|white)\b/), "\(name)")
    }
  }
}
