import Foundation
import TestSupport
import Testing

/// The types of all modules, read from their sources.
@Suite(.unit) struct TypeNameTests {
  @Test func `no two modules have a type of one name`() throws {
    let declaration =
      /^(?:(?:@frozen|public|package|internal|final|indirect) )*(?:struct|enum|class|actor|protocol) (\w+)/
      .anchorsMatchLineEndings()
    let root = ProjectTree.root.appending(path: "Sources")
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    var modules: [String: Set<String>] = [:]
    for name in names where name.hasSuffix(".swift") {
      let module = String(name.prefix { $0 != "/" })
      let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
      for match in text.matches(of: declaration) {
        modules[String(match.1), default: []].insert(module)
      }
    }
    #expect(modules.count > 300)
    #expect(modules.filter { $0.value.count > 1 } == [:])
  }
}
