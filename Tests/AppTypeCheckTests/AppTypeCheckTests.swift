#if os(Linux)
  import Foundation
  import Subprocess
  import TestSupport
  import Testing

  /// The phone app, type-checked in Swift 6 mode against stubs of Apple's frameworks. Nothing of it runs.
  @Suite(.process, .slow) struct AppTypeCheckTests {
    private static let stubs = ProjectTree.root.appending(path: "Tests/AppTypeCheckTests/Stubs")
    private static let app = ProjectTree.root.appending(path: "App/Sources")
    /// In the order in which they need each other.
    private static let frameworks = [
      "UIKit", "SwiftUI", "HealthKit", "CoreLocation", "AVFAudio", "BackgroundTasks",
      "UserNotifications",
    ]

    private struct Check {
      let folder: URL

      /// The compiler's words; empty if all is well.
      func swiftc(_ arguments: [String]) async throws -> String {
        let modules = URL(filePath: BuiltProgram.path("Modules"))
        var all = [
          "-swift-version", "6", "-parse-as-library", "-I", modules.path, "-I", folder.path,
        ]
        for library in ["CZlib", "CSQLite", "CCrypto", "CExpat", "CCurl", "CMemory", "CFolders"] {
          let map = ProjectTree.root.appending(path: "Sources/System/\(library)/module.modulemap")
          all += ["-Xcc", "-fmodule-map-file=\(map.path)"]
        }
        all += ["-module-cache-path", folder.appending(path: "cache").path]
        let result = try await Subprocess.run(
          .name("swiftc"), arguments: .init(all + ["-warnings-as-errors"] + arguments),
          output: .discarded, error: .string(limit: 1 << 22))
        let words = result.standardError
        return result.terminationStatus.isSuccess && words.isEmpty ? "" : words + " "
      }
    }

    /// The app's sources, by their paths.
    private static func sources() throws -> [String: String] {
      var sources: [String: String] = [:]
      for name in try FileManager.default.subpathsOfDirectory(atPath: app.path)
      where name.hasSuffix(".swift") {
        sources[name] = try String(contentsOf: app.appending(path: name), encoding: .utf8)
      }
      return sources
    }

    /// What a person who has not seen a device could write: each is refused.
    private static let mistakes: [(file: String, old: String, new: String, words: String)] = [
      (
        "Adapters/LocationRecorder.swift",
        "MainActor.assumeIsolated { for point in points { take(point) } }",
        "for point in points { take(point) }", "actor-isolated"
      ),
      (
        "Adapters/HealthKitSource.swift", "store.enableBackgroundDelivery(for: type, frequency:",
        "store.enableBackgroundDelivery(for: type, every:", "incorrect argument label"
      ),
      (
        "Adapters/Notifications.swift",
        "try? await UNUserNotificationCenter.current().add(request)",
        "try? UNUserNotificationCenter.current().add(request)",
        "is 'async' but is not marked with 'await'"
      ),
      (
        "Adapters/AudioRecorder.swift", "recorder.record()", "recorder.recordForever()",
        "has no member 'recordForever'"
      ),
      (
        "Adapters/BackgroundTasks.swift", "nonisolated(unsafe) let granted = granted", "",
        "data races"
      ),
      (
        "Adapters/HealthKitSource.swift", "withStart: Calendar.current.startOfDay(for: .now)",
        "withStart: \"today\"", "cannot convert value of type 'String'"
      ),
      (
        "Views/OnboardingView.swift", "await model.enter(hub: address, token: token)",
        "await model.enter(hub: address)", "missing argument for parameter 'token'"
      ),
      (
        "Views/GatewaysView.swift", "case .failed(let reason): Text(reason).foregroundStyle(.red)",
        "", "switch must be exhaustive"
      ),
    ]

    @Test func `the app type-checks, and each planted mistake is refused`() async throws {
      let check = Check(
        folder: FileManager.default.temporaryDirectory.appending(path: "typecheck-\(UUID())"))
      defer { try? FileManager.default.removeItem(at: check.folder) }
      try FileManager.default.createDirectory(at: check.folder, withIntermediateDirectories: true)
      for name in Self.frameworks {
        let words = try await check.swiftc([
          "-emit-module", "-module-name", name, "-emit-module-path",
          check.folder.appending(path: "\(name).swiftmodule").path,
          Self.stubs.appending(path: "\(name).swift").path,
        ])
        try #require(words.isEmpty, "\(name): \(words)")
      }
      let sources = try Self.sources()
      let copy = check.folder.appending(path: "App")
      func write(_ name: String, _ text: String) throws {
        let file = copy.appending(path: name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
      for (name, text) in sources { try write(name, text) }
      let files = sources.keys.sorted().map { copy.appending(path: $0).path }
      // With the checks after the types: whether a value is shared by tasks, or read before it is set.
      func typecheck() async throws -> String {
        try await check.swiftc(
          ["-emit-sil", "-wmo", "-o", "/dev/null", "-module-name", "HealthData"] + files
            + [Self.stubs.appending(path: "OnApple.swift").path])
      }
      let words = try await typecheck()
      #expect(words.isEmpty, "\(words)")
      // Each costs a compilation of the whole app.
      for (file, old, new, expected) in Self.mistakes.prefix(TestDepth.full(.max, usual: 0)) {
        let text = try #require(sources[file], "\(file)")
        try #require(text.contains(old), "\(file) has no \(old)")
        try write(file, text.replacing(old, with: new, maxReplacements: 1))
        let words = try await typecheck()
        #expect(words.contains(expected), "\(old) -> \(new): \(words)")
        try write(file, text)
      }
    }
  }
#endif
