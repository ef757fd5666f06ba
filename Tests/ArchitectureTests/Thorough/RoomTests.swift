import Foundation
import TestSupport
import Testing

/// Which targets may use which (ARCHITECTURE.md): what they declare in Package.swift, and what their
/// files import. SwiftPM itself refuses circles.
@Suite(.process) struct RoomTests {
  /// The folders of Sources/, in the order in which they may use one another.
  private static let rooms: [Substring] = [
    "System", "Core", "Bucket", "Input", "Output", "Phone", "Programs", "Hub", "Race",
  ]
  /// All that the core may import beside itself, because phones embed it. `CFolders` is a system call that
  /// Swift has no name for, in a header.
  private static let forCore: Set = [
    "Bionic", "CFolders", "CryptoKit", "Darwin", "Dispatch", "Foundation", "Glibc", "Musl",
    "Observation", "Synchronization",
  ]

  /// What breaks a rule, a sentence each.
  private static func faults(in manifest: Data) throws -> [String] {
    let targets = try ProductDependencies.targets(in: manifest)
      .filter { $0.folder.first == "Sources" }
    let rooms = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0.folder[1]) })
    let programs = Set(targets.filter { $0.type == "executable" }.map(\.name))
    var faults: [String] = []
    for target in targets {
      let room = target.folder[1]
      let place = try #require(Self.rooms.firstIndex(of: room), "\(room) is not a room")
      let isLibrary = !programs.contains(target.name) && target.name != "CommandLineKit"
      for used in try target.imports().union(target.dependencies.map(\.name)).sorted() {
        let usedRoom = rooms[used]
        if let usedRoom, let other = Self.rooms.firstIndex(of: usedRoom), other > place {
          faults.append("\(target.name) of \(room) uses \(used) of \(usedRoom)")
        }
        if programs.contains(used) { faults.append("\(target.name) uses the program \(used)") }
        if isLibrary, used == "ArgumentParser" {
          faults.append("the library \(target.name) uses ArgumentParser")
        }
        if room == "Core", usedRoom != "Core", !forCore.contains(used) {
          faults.append("\(target.name) of the core uses \(used)")
        }
      }
    }
    return faults
  }

  @Test func `rooms use those before them, libraries no command line, and the core itself alone`()
    async throws
  {
    #expect(try Self.faults(in: try await ProductDependencyTests.manifest.value) == [])
  }

  @Test func `what breaks a rule of rooms is found`() async throws {
    let planted = try await ProductDependencyTests.changed([
      (
        #".library("ContentDigests", in: "Core", [], "#,
        #".library("ContentDigests", in: "Core", ["CZlib"], "#
      ),
      (
        #""Gzip", in: "Bucket", ["CZlib", "#,
        #""Gzip", in: "Bucket", ["s3health", .argumentParser, "#
      ),
    ])
    #expect(
      try Self.faults(in: planted) == [
        "ContentDigests of the core uses CZlib", "the library Gzip uses ArgumentParser",
        "Gzip of Bucket uses s3health of Programs", "Gzip uses the program s3health",
      ])
  }
}
