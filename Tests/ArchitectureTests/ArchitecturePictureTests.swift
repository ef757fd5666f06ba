import Foundation
import Subprocess
import TestSupport
import Testing

/// The picture in ARCHITECTURE.md, held against Package.swift.
@Suite(.process) struct ArchitecturePictureTests {
  /// The Swift targets below Sources/: each with its room and the targets that it depends on.
  private struct Targets {
    var rooms: [String: String] = [:]
    var dependencies: [String: Set<String>] = [:]

    init(manifest: Data) throws {
      struct Manifest: Decodable { let targets: [Target] }
      struct Target: Decodable {
        let name: String
        let type: String
        let path: String?
        let dependencies: [[String: [Part]]]
      }
      /// The last part of a dependency is its condition, which is an object where there is one.
      struct Part: Decodable {
        let name: String?

        init(from decoder: any Decoder) throws {
          name = try? decoder.singleValueContainer().decode(String.self)
        }
      }
      for target in try JSONDecoder().decode(Manifest.self, from: manifest).targets {
        let path = (target.path ?? "").split(separator: "/")
        guard path.first == "Sources", target.type != "system" else { continue }
        rooms[target.name] = String(path[1])
        dependencies[target.name] = Set(
          target.dependencies.compactMap { ($0["byName"] ?? $0["target"])?.first?.name })
      }
    }

    /// All that a target is built from.
    func reached(from target: String) -> Set<String> {
      (dependencies[target] ?? []).reduce(into: []) { $0.formUnion(reached(from: $1).union([$1])) }
    }

    /// The arrows of the picture: the dependencies that do not follow from others.
    var arrows: Set<String> {
      var arrows: Set<String> = []
      for (target, used) in dependencies {
        for name in used where rooms[name] != nil {
          if !used.contains(where: { $0 != name && reached(from: $0).contains(name) }) {
            arrows.insert("\(target) --> \(name)")
          }
        }
      }
      return arrows
    }
  }

  /// The rooms of the targets in a picture, and its arrows.
  private static func picture(in text: String) -> (rooms: [String: String], arrows: Set<String>) {
    var (rooms, arrows, room) = ([String: String](), Set<String>(), "")
    for line in text.split(separator: "\n") {
      if let match = line.wholeMatch(of: #/ *subgraph (\w+)(?: \[(\w+)\])?/#) {
        room = String(match.2 ?? match.1)
      } else if let match = line.wholeMatch(of: #/ +(\w+)(?: --> (\w+))?/#), match.1 != "end" {
        rooms[String(match.1)] = room
        if let used = match.2 { arrows.insert("\(match.1) --> \(used)") }
      }
    }
    return (rooms, arrows)
  }

  private static func manifest() async throws -> Data {
    let result = try await Subprocess.run(
      .name("swift"),
      arguments: [
        "package", "--ignore-lock", "--package-path", ProjectTree.root.path, "dump-package",
      ],
      output: .string(limit: 1 << 22), error: .string(limit: 1 << 20))
    #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
    return Data(result.standardOutput.utf8)
  }

  private static func document() throws -> String {
    try String(contentsOf: ProjectTree.root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
  }

  @Test func `the picture has every target in its room, and every arrow and no other`()
    async throws
  {
    let targets = try Targets(manifest: try await Self.manifest())
    let drawn = try #require(
      try Self.document().firstMatch(of: #/```mermaid\n((?s).*?)\n```/#)?.1)
    let picture = Self.picture(in: String(drawn))
    #expect(picture.rooms == targets.rooms)
    #expect(picture.arrows == targets.arrows)
    #expect(targets.rooms.count > 20 && targets.arrows.count > 30)
  }

  @Test func `every target has its row in the table`() async throws {
    let targets = try Targets(manifest: try await Self.manifest())
    var (named, room) = ([String: String](), "")
    for row in try Self.document().matches(of: #/(?m)^\| (`\w+`)? ?\| (`[^|]+) \|/#) {
      if let name = row.1 { room = String(name.filter { $0 != "`" }) }
      for name in row.2.matches(of: #/`(\w+)`/#) { named[String(name.1)] = room }
    }
    for (target, room) in targets.rooms { #expect(named[target] == room, "\(target)") }
  }
}
