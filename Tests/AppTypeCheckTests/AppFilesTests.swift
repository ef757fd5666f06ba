import Foundation
import HealthCollector
import TestSupport
import Testing

/// The files of the phone app that no compiler reads, and the bounds of its adapters.
@Suite(.tags(.unit)) struct AppFilesTests {
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
    ] {
      #expect(((info[key] as? String) ?? "").count > 40, "\(key)")
    }
    #expect(
      info["UIBackgroundModes"] as? [String] == ["location", "audio", "fetch", "processing"])
    #expect(
      info["BGTaskSchedulerPermittedIdentifiers"] as? [String]
        == BackgroundTask.allCases.map { $0.identifier() })
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

  @Test func `no adapter has more than 200 lines, nor decides anything`() throws {
    let adapters = try sources("Adapters")
    #expect(adapters.count >= 10)
    for (name, text) in adapters {
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 200, "\(name)")
      // Passing on an error is not a decision.
      let decisions = text.split(separator: "\n").filter {
        $0.contains(/\bif\b/) && !$0.contains("///") && !$0.contains("if let error { throw error }")
      }
      #expect(decisions.isEmpty, "\(name): \(decisions)")
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
      // Fixed sizes of text don't grow with Dynamic Type.
      #expect(!text.contains("system(size:"), "\(name)")
    }
  }
}
