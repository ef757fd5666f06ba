#if os(Linux)
  import Foundation
  import Subprocess
  import TestSupport
  import Testing

  /// The programs stay small: nothing in them, packages included, needs corelibs Foundation or ICU.
  /// The first symbol of those that FoundationEssentials does not have adds 44 MB to a program that
  /// is linked statically.
  @Suite(.process) struct FoundationSymbolTests {
    private static func output(
      _ program: String, _ arguments: [String], input: String = ""
    ) async throws -> String {
      let result = try await Subprocess.run(
        .name("env"), arguments: .init([program] + arguments), input: .string(input),
        output: .string(limit: 1 << 24), error: .string(limit: 1 << 20))
      #expect(result.terminationStatus.isSuccess, "\(program): \(result.standardError)")
      return result.standardOutput
    }

    /// The folder of the toolchain's static libraries.
    private static func libraries() async throws -> String {
      struct Target: Decodable {
        struct Paths: Decodable { let runtimeResourcePath: String }
        let paths: Paths
      }
      let text = try await output("swift", ["-print-target-info"])
      let target = try JSONDecoder().decode(Target.self, from: Data(text.utf8))
      return target.paths.runtimeResourcePath + "_static/linux"
    }

    /// The symbols that objects need and should not: module, file and symbol.
    private static func needs(of objects: [String]) async throws -> [String] {
      let script = ProjectTree.root.appending(path: "Tests/Peers/foundation_symbols.py").path
      let found = try await output(
        try PeerPython.interpreter(), [script, try await libraries()],
        input: objects.joined(separator: "\n"))
      return try await output("swift", ["demangle", "-compact"], input: found)
        .split(separator: "\n").map(String.init)
    }

    @Test(arguments: ["s3health", "s3healthd", "s3race"])
    func `no object of a program needs corelibs Foundation or ICU`(_ program: String) async throws {
      // Of the build that is tested: release in CI, where inlining decides.
      let variable = "\(program.uppercased())_BINARY"
      let path = ProcessInfo.processInfo.environment[variable] ?? BuiltProgram.path(program)
      let list = URL(filePath: path).deletingLastPathComponent()
        .appending(path: "\(program).product/Objects.LinkFileList")
      let objects = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
        .map { $0.trimmingCharacters(in: ["'", "\""]) }
      #expect(objects.count > 300)
      let needs = try await Self.needs(of: objects)
      #expect(
        needs.isEmpty,
        """
        \(needs.joined(separator: "\n"))
        Use what FoundationEssentials has: firstRange(of:) for contains("text"), SmallFile for \
        FileHandle.
        """)
    }

    @Test(.nightly) func `an object that uses FileHandle is found, and one that uses Data is not`()
      async throws
    {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "symbols-\(UInt64.random(in: .min ... .max))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      func object(_ name: String, _ code: String) async throws -> String {
        let (source, object) = (folder.appending(path: name + ".swift").path, name + ".o")
        try Data(code.utf8).write(to: URL(filePath: source))
        let path = folder.appending(path: object).path
        _ = try await Self.output("swiftc", ["-parse-as-library", "-c", source, "-o", path])
        return path
      }
      let objects = [
        try await object("Plain", "import Foundation\npublic func f() -> Int { Data([1]).count }"),
        try await object(
          "Heavy",
          """
          import Foundation
          public func g() { FileHandle.standardError.write(Data()) }
          public func h(_ text: String) -> Bool { text.contains("text") }
          """),
      ]
      let needs = try await Self.needs(of: objects)
      #expect(needs.allSatisfy { $0.contains("/Heavy.o ") })
      #expect(needs.contains { $0.contains("FileHandle") })
      #expect(needs.contains { $0.contains("StringProtocol") })
    }
  }
#endif
