import Foundation
import Subprocess
import TestSupport
import Testing

/// The examples in the documentation of the library products, as a program that embeds them has them.
@Suite(.process) struct DocumentedExampleTests {
  private static let products = [
    "HealthModel", "ObjectStore", "HealthLedger", "HealthStreams", "Secrets", "S3Store",
    "S3Session", "Outbox", "SyncClients",
  ]
  /// What the clients' examples import: a program of their users has it too.
  private static let rooms = ["Core", "Bucket", "Output"]

  /// What stands between the fences of the documentation comments of a product's sources.
  private static func examples(of product: String) throws -> [(file: String, code: String)] {
    let sources = ProjectTree.root.appending(path: "Sources")
    let folder = try #require(
      rooms.map { sources.appending(path: "\($0)/\(product)") }
        .first { FileManager.default.fileExists(atPath: $0.path) })
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var found: [(String, String)] = []
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      var example: [Substring]?
      for line in try String(contentsOf: file, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("///") else { continue }
        let content = text.dropFirst(text.hasPrefix("/// ") ? 4 : 3)
        if content == "```swift" {
          example = []
        } else if content == "```", let lines = example {
          found.append((file.lastPathComponent, lines.joined(separator: "\n")))
          example = nil
        } else {
          example?.append(content)
        }
      }
      #expect(example == nil, "\(file.lastPathComponent) has an example without an end")
    }
    return found
  }

  @Test func `every example in the documentation of the libraries compiles without a warning`()
    async throws
  {
    // Others of HealthCollector call what an app has, such as its queries.
    let examples =
      try Self.products.flatMap { try Self.examples(of: $0) }
      + Self.examples(of: "HealthCollector").filter { $0.file.hasPrefix("RunBudget") }
    #expect(examples.count >= 14)
    let program =
      (["Foundation", "HealthCollector"] + Self.products).map { "import \($0)\n" }.joined()
      + examples.enumerated().map { number, example in
        "// \(example.file)\nfunc example\(number)() async throws {\n\(example.code)\n}\n"
      }.joined()
    let file = FileManager.default.temporaryDirectory
      .appending(path: "examples-\(UInt64.random(in: .min ... .max)).swift")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(program.utf8).write(to: file)
    let system = ProjectTree.root.appending(path: "Sources/System").path
    let modules = try FileManager.default.contentsOfDirectory(atPath: system).sorted().map {
      "\(system)/\($0)"
    }
    let folders = ([BuiltProgram.path("Modules")] + modules).flatMap { ["-I", $0] }
    let result = try await Subprocess.run(
      .name("swiftc"),
      arguments: .init(
        ["-typecheck", "-swift-version", "6", "-warnings-as-errors"] + folders + [file.path]),
      output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
    #expect(result.terminationStatus.isSuccess, "\(result.standardError)\n\(program)")
  }
}
