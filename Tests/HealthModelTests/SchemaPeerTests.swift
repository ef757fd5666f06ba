import Foundation
import HealthModel
import StoreTesting
import TestSupport
import Testing

/// Our validator and Python's jsonschema over the published schemas must agree on every document,
/// as far as a schema can say it.
@Suite(.process) struct SchemaPeerTests {
  @Test func `R1-R12: jsonschema and the validator agree on thousands of revisions`() async throws {
    try await expectAgreement(
      kind: "health", base: try Self.examples().filter { $0.name != "latest.json" }.map(\.value),
      seed: 2020,
      codes: ViolationCode.allCases.filter {
        $0.isInSchema && $0 != .badRevisionID && $0 != .badRelativePath
      }
    ) { DailyRevision.decode($0).violations }
  }

  @Test func `R15: jsonschema and the validator agree on thousands of pointers`() async throws {
    try await expectAgreement(
      kind: "latest", base: try Self.examples().filter { $0.name == "latest.json" }.map(\.value),
      seed: 12,
      codes: [
        .missingMember, .wrongType, .badDate, .badTimestamp, .badRevisionID, .badRelativePath,
      ]
    ) { LatestPointer.decode($0).violations }
  }

  @Test func `the examples beside the schemas break no rule`() throws {
    for example in try Self.examples() {
      let bytes = example.value.canonicalBytes
      if example.name == "latest.json" {
        #expect(LatestPointer.decode(bytes).violations == [], "\(example.name)")
      } else {
        #expect(DailyRevision.decode(bytes).violations == [], "\(example.name)")
      }
    }
  }

  @Test func `the schemas' ids name no host`() throws {
    for name in ["health", "latest"] {
      let schema = try Self.json(ProjectTree.root.appending(path: "schema/\(name).v0.schema.json"))
      #expect(schema["$id"]?.stringValue == "urn:s3health:schema:\(name).v0")
    }
  }

  private func expectAgreement(
    kind: String, base: [JSONValue], seed: UInt64, codes: [ViolationCode],
    _ violations: ([UInt8]) -> [Violation]
  ) async throws {
    var mutations = DocumentMutations(random: SplitMix64(seed: seed))
    var documents = base
    let rounds = TestDepth.full(4000, usual: 1000)
    for round in 0..<rounds {
      documents.append(mutations.mutated(base[round % base.count], changes: round % 4))
    }
    documents += [.null, .array([]), .string("x"), .number(1), .object([:])]
    let texts = documents.map(\.canonicalBytes)
    let answers = try await PeerPython.run(
      "model_schema.py", arguments: [ProjectTree.root.appending(path: "schema").path],
      input: texts.flatMap { Array("\(kind) ".utf8) + $0 + [UInt8(ascii: "\n")] })
    let theirs = answers.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
    try #require(theirs.count == texts.count)

    var seen: [String: Int] = [:]
    for (text, theirs) in zip(texts, theirs) {
      let inSchema = violations(text).filter {
        ViolationCode(rawValue: $0.code)?.isInSchema == true
      }
      for code in Set(violations(text).map(\.code)) { seen[code, default: 0] += 1 }
      #expect(
        (inSchema.isEmpty ? "valid" : "invalid") == theirs,
        "\(inSchema) \(String(decoding: text, as: UTF8.self))")
    }
    let valid = theirs.count { $0 == "valid" }
    #expect(
      valid > rounds / 6 && valid < rounds * 7 / 10, "both kinds are well represented: \(valid)")
    for code in codes {
      #expect(seen[code.rawValue, default: 0] > rounds / 400, "\(code) must have been tried often")
    }
  }

  static func examples() throws -> [(name: String, value: JSONValue)] {
    let folder = ProjectTree.root.appending(path: "schema/examples")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      (name: $0, value: try json(folder.appending(path: $0)))
    }
  }

  private static func json(_ url: URL) throws -> JSONValue {
    try JSONValue(parsing: [UInt8](Data(contentsOf: url)))
  }
}
