import Foundation
import Subprocess
import TestSupport
import Testing

/// What a product is built from: its targets, their packages and their system libraries, as
/// SwiftPM reads them from Package.swift.
struct ProductDependencies: Equatable {
  /// Its targets.
  var targets: Set<String> = []
  /// Identities of the packages, those that other packages need included.
  var packages: Set<String> = []
  /// Names of the system libraries as pkg-config has them.
  var systemLibraries: Set<String> = []
  /// Targets with flags of the compiler, and system libraries that Homebrew has.
  var notForApps: Set<String> = []

  /// - Parameters:
  ///   - manifest: what `swift package dump-package` prints.
  ///   - graph: what `swift package show-dependencies --format json` prints.
  init(of product: String, manifest: Data, graph: Data) throws {
    let manifest = try JSONDecoder().decode(Manifest.self, from: manifest)
    let needs = try JSONDecoder().decode(Package.self, from: graph).allDependencies
    let targets = Dictionary(uniqueKeysWithValues: manifest.targets.map { ($0.name, $0) })
    var waiting = try #require(manifest.products.first { $0.name == product }).targets
    while let name = waiting.popLast() {
      guard self.targets.insert(name).inserted else { continue }
      let target = try #require(targets[name], "\(name) is neither a target nor a named product")
      let isOfBrew = target.providers?.contains { $0["brew"] != nil } ?? false
      if isOfBrew || target.settings.contains(where: { $0.kind.unsafeFlags != nil }) {
        notForApps.insert(name)
      }
      if target.type == "system" { systemLibraries.insert(target.pkgConfig ?? name) }
      for dependency in target.dependencies {
        if let package = dependency.package {
          packages.formUnion(needs[package] ?? [])
          packages.insert(package)
        } else if let name = dependency.target {
          waiting.append(name)
        }
      }
    }
  }

  private struct Manifest: Decodable {
    let products: [Product]
    let targets: [Target]
  }

  private struct Product: Decodable {
    let name: String
    let targets: [String]
  }

  struct Target: Decodable {
    let settings: [Setting]
    let providers: [[String: [[String]]]]?
    let name: String
    let type: String
    let path: String?
    let pkgConfig: String?
    let dependencies: [Dependency]

    /// Its folder below the project's, part by part.
    var folder: [Substring] {
      (path ?? (type == "test" ? "Tests/" : "Sources/") + name).split(separator: "/")
    }

    /// The modules that its files import.
    func imports() throws -> Set<String> {
      let files = ProjectTree.files(below: folder.joined(separator: "/"), ending: ".swift")
      return try files.reduce(into: []) { imported, file in
        let text = try String(
          contentsOf: ProjectTree.root.appending(path: file), encoding: .utf8)
        for match in text.matches(
          of: #/(?m)^ *(?:@\w+ |[a-z]+ )*import (?:[a-z]+ )?(\w+)/#)
        {
          imported.insert(String(match.1))
        }
      }
    }
  }

  /// `{"kind": {"unsafeFlags": ...}, ...}`.
  struct Setting: Decodable {
    struct Kind: Decodable {
      struct Flags: Decodable {}
      let unsafeFlags: Flags?
    }
    let kind: Kind
  }

  /// `{"product": [name, package, ...]}`, `{"byName": [name, ...]}` or `{"target": [name, ...]}`.
  struct Dependency: Decodable {
    let name: String
    var package: String?
    var target: String?

    private enum Kind: String, CodingKey { case product, byName, target }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Kind.self)
      let kind = try #require(container.allKeys.first)
      var values = try container.nestedUnkeyedContainer(forKey: kind)
      name = try values.decode(String.self)
      if kind == .product {
        package = try values.decodeIfPresent(String.self)?.lowercased() ?? name
      } else {
        target = name
      }
    }
  }

  static func targets(in manifest: Data) throws -> [Target] {
    try JSONDecoder().decode(Manifest.self, from: manifest).targets
  }

  /// The dependencies that a target declares and none of its files imports, as `target: dependency`.
  /// A test target also declares the programs that it runs.
  static func unimported(manifest: Data) throws -> [String] {
    let targets = try targets(in: manifest)
    let programs = Set(targets.filter { $0.type == "executable" }.map(\.name))
    return try targets.filter { $0.type != "system" }.flatMap { target in
      let imported = try target.imports()
      return target.dependencies.map(\.name)
        .filter { !imported.contains($0) && !(target.type == "test" && programs.contains($0)) }
        .map { "\(target.name): \($0)" }
    }
  }

  private struct Package: Decodable {
    let identity: String
    let dependencies: [Package]

    /// For each package of the graph, all that it needs.
    var allDependencies: [String: Set<String>] {
      var all: [String: Set<String>] = [:]
      func visit(_ package: Package) -> Set<String> {
        var needed: Set<String> = []
        for other in package.dependencies {
          needed.insert(other.identity)
          needed.formUnion(visit(other))
        }
        // SwiftPM shows a package at each place that needs it.
        all[package.identity, default: []].formUnion(needed)
        return needed
      }
      _ = visit(self)
      return all
    }
  }
}

/// `swift build --product s3health` must not compile a network server, a database client or races.
@Suite(.process) struct ProductDependencyTests {
  /// All that the program may be built from. NIO, libpq and libqrencode are for s3healthd.
  private static let packages: Set = [
    "swift-argument-parser", "swift-log", "swift-subprocess", "swift-system",
  ]
  /// `CMemory` is a setting of the C library, and `CFolders` a call of Linux: headers alone.
  private static let systemLibraries: Set = [
    "libcurl", "libcrypto", "expat", "zlib", "sqlite3", "CMemory", "CFolders",
  ]

  /// What the program is built from, and which of that it must not be built from.
  private func foreign(manifest: Data, graph: Data) throws -> [String] {
    let found = try ProductDependencies(of: "s3health", manifest: manifest, graph: graph)
    #expect(found.packages.isSuperset(of: ["swift-argument-parser", "swift-system"]))
    #expect(found.systemLibraries.isSuperset(of: ["libcurl", "libcrypto"]))
    let races = found.targets.intersection(["Race", "FaultProxy", "StoreTesting"])
    return
      (races.sorted() + found.packages.subtracting(Self.packages).sorted()
      + found.systemLibraries.subtracting(Self.systemLibraries).sorted())
  }

  /// What SwiftPM prints of the package in a folder.
  private static func package(
    _ arguments: [String], in folder: URL, forApps: Bool = false
  ) async throws -> Data {
    let result = try await Subprocess.run(
      .name("swift"),
      arguments: .init(["package", "--ignore-lock", "--package-path", folder.path] + arguments),
      environment: forApps ? .inherit.updating(["S3HEALTH_TRANSPORT": "urlsession"]) : .inherit,
      output: .string(limit: 1 << 22), error: .string(limit: 1 << 20))
    #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
    return Data(result.standardOutput.utf8)
  }

  private func graph() async throws -> Data { try await Self.graph.value }

  private func manifest(forApps: Bool = false) async throws -> Data {
    try await (forApps ? Self.manifestForApps : Self.manifest).value
  }

  // SwiftPM needs seconds for each answer, so the tests share them.
  private static let graph = Task {
    try await package(["show-dependencies", "--format", "json"], in: ProjectTree.root)
  }
  static let manifest = Task { try await changed([]) }
  private static let manifestForApps = Task { try await changed([], forApps: true) }

  /// The manifest of the project with some of its text replaced.
  ///
  /// - Parameter forApps: as an app has it.
  static func changed(
    _ replacements: [(old: String, new: String)], forApps: Bool = false
  ) async throws -> Data {
    let file = ProjectTree.root.appending(path: "Package.swift")
    var text = try String(contentsOf: file, encoding: .utf8)
    for (old, new) in replacements {
      try #require(text.contains(old), "Package.swift has no \(old)")
      text = text.replacing(old, with: new, maxReplacements: 1)
    }
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "manifest-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(text.utf8).write(to: folder.appending(path: "Package.swift"))
    return try await package(["dump-package"], in: folder, forApps: forApps)
  }

  @Test func `the program is built without NIO, libpq, races and all else that it does not need`()
    async throws
  {
    #expect(try foreign(manifest: try await manifest(), graph: try await graph()) == [])
  }

  // SwiftPM takes seconds for each manifest, so a usual run plants few faults.
  @Test(.nightly) func `a library of the program that uses NIO or libpq is found`() async throws {
    let planted = try await Self.changed([
      (
        #""ObjectStore", "SigV4", "Digests","#,
        #""ObjectStore", "SigV4", "CPostgres", .product(name: "NIOCore", package: "swift-nio"),"#
          + #" "Digests","#
      )
    ])
    let found = try foreign(manifest: planted, graph: try await graph())
    #expect(found.contains("swift-nio") && found.last == "libpq")
  }

  @Test(.nightly) func `a program that uses races is found, and s3race does`() async throws {
    let race = try ProductDependencies(
      of: "s3race", manifest: try await manifest(), graph: try await graph())
    #expect(race.targets.isSuperset(of: ["Race", "FaultProxy", "StoreTesting", "CommandLineKit"]))
    #expect(race.packages.isSubset(of: Self.packages))
    #expect(race.systemLibraries.isSubset(of: Self.systemLibraries))
    let planted = try await Self.changed([
      (#""AppleExport", "HealthSources", "S3Store","#, #""Race", "HealthSources", "S3Store","#)
    ])
    #expect(
      try foreign(manifest: planted, graph: try await graph()) == ["Race", "StoreTesting"])
  }

  /// What an app may be built from: two libraries that are in iOS, and a header that is empty there.
  private static let inPhones: Set = ["zlib", "sqlite3", "CFolders"]
  private static let appProducts = [
    "HealthModel", "ObjectStore", "HealthLedger", "HealthStreams", "HealthCollector", "Outbox",
    "S3Store", "SyncClients", "PhoneKit",
  ]

  @Test(arguments: appProducts)
  func `an app's product is built from swift-log, zlib and SQLite at most`(
    product: String
  ) async throws {
    let found = try ProductDependencies(
      of: product, manifest: try await manifest(forApps: true), graph: try await graph())
    #expect(found.targets.contains(product))
    #expect(found.packages.isSubset(of: ["swift-log"]))
    #expect(found.systemLibraries.isSubset(of: Self.inPhones))
    // A package with such flags is refused as a dependency of an app, and what Homebrew has is built for
    // macOS.
    #expect(found.notForApps == [])
  }

  @Test(.nightly)
  func `an app's product with flags of the compiler, or of a formula of Homebrew, is found`()
    async throws
  {
    let planted = try await Self.changed(
      [
        (
          #"["HealthModel", "ObjectStore"], house)"#,
          #"["HealthModel", "ObjectStore"], houseSmall)"#
        ),
        (#"apt: "libsqlite3-dev")"#, #"apt: "libsqlite3-dev", brew: "sqlite")"#),
      ], forApps: true)
    let found = try ProductDependencies(of: "PhoneKit", manifest: planted, graph: try await graph())
    #expect(found.notForApps == ["HealthEvents", "CSQLite"])
  }

  @Test(.nightly) func `an app's product that uses libcurl or runs programs is found`() async throws
  {
    let planted = try await Self.changed(
      [
        (
          #""Gzip", "HTTPClient", "HealthExports","#,
          #""CCurl", .subprocess, "HTTPClient","#
        )
      ], forApps: true)
    let found = try ProductDependencies(
      of: "SyncClients", manifest: planted, graph: try await graph())
    #expect(found.systemLibraries.contains("libcurl"))
    #expect(found.packages.contains("swift-subprocess"))
  }

  @Test(.nightly) func `the hub is built from NIO, libpq and libqrencode`() async throws {
    let hub = try ProductDependencies(
      of: "s3healthd", manifest: try await manifest(), graph: try await graph())
    #expect(hub.packages.isSuperset(of: ["hummingbird", "swift-nio"]))
    #expect(hub.systemLibraries.isSuperset(of: ["libpq", "libqrencode"]))
  }

  @Test(.nightly) func `a package that needs NIO itself is found`() async throws {
    var root = try #require(
      try JSONSerialization.jsonObject(with: try await graph()) as? [String: Any])
    var packages = try #require(root["dependencies"] as? [[String: Any]])
    let logging = try #require(
      packages.firstIndex { $0["identity"] as? String == "swift-log" })
    let nio: [String: Any] = ["identity": "swift-nio", "dependencies": [Any]()]
    packages[logging]["dependencies"] = [nio]
    root["dependencies"] = packages
    let planted = try JSONSerialization.data(withJSONObject: root)
    #expect(try foreign(manifest: try await manifest(), graph: planted) == ["swift-nio"])
  }

  @Test(.nightly) func `no target declares a dependency that it does not import`() async throws {
    #expect(try ProductDependencies.unimported(manifest: try await manifest()) == [])
    let planted = try await Self.changed([
      (
        #".library("ContentDigests", in: "Core", [], "#,
        #".library("ContentDigests", in: "Core", ["CZlib"], "#
      )
    ])
    #expect(
      try ProductDependencies.unimported(manifest: planted) == ["ContentDigests: CZlib"])
  }
}
