import HealthModel
import ObjectStore
import TestSupport
import Testing

@testable import HealthLedger

/// R64: ids of people, and the keys that are made of them.
@Suite(.unit) struct PersonIDTests {
  @Test(arguments: [
    "", ".", "..", "a/b", "/a", "a/", "Ann", "aNN", "-a", "_a", "a b", "a.b", "a\u{0}", "a\n",
    "a\u{7F}", "münchen", "\u{430}nn", "a\u{301}", "ａnn", "a\u{200B}", "K", "\u{212A}", "a%2fb",
    "a*", "a:b", "a\\b", "~a", "a=b", String(repeating: "a", count: 64),
  ])
  func `R64 text that is not safe in keys, logs and file names is not an id`(text: String) {
    #expect(PersonID(text) == nil)
    let error = #expect(throws: LedgerError.self) { _ = try PersonID(checking: text) }
    #expect(error?.code == .invalidArguments && error?.rule == "R64")
    #expect(error?.remedy?.description.contains("a-z") == true)
  }

  @Test(arguments: ["a", "0", "ann", "p-001", "a_b", "9-", String(repeating: "z", count: 63)])
  func `R64 an id is the text that was given`(text: String) throws {
    #expect(PersonID(text)?.rawValue == text)
    #expect(try PersonID(checking: text).description == text)
  }

  @Test func `R64 every accepted text makes keys that stores accept and no other person shares`()
    throws
  {
    let date = try Sample.date("2026-02-08")
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("abz019-_AZ./ \u{0}é\u{301}%")
    var accepted: [PersonID] = []
    for _ in 0..<20_000 {
      let length = Int.random(in: 0...5, using: &generator)
      let text = String((0..<length).compactMap { _ in alphabet.randomElement(using: &generator) })
      guard let id = PersonID(text) else { continue }
      accepted.append(id)
      let layout = try LedgerLayout(prefix: "study").person(id)
      #expect(layout.prefix == "study/people/\(text)/")
      #expect(ObjectKey(layout.prefix + "person.json") != nil)
      #expect(layout.pointerKey(date).rawValue.split(separator: "/")[2] == text)
      #expect(text == text.lowercased() && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }
    let prefixes = Set(accepted).map { "people/\($0)/" }
    for a in prefixes.prefix(300) {
      for b in prefixes.prefix(300) where a != b { #expect(!a.hasPrefix(b)) }
    }
    #expect(accepted.count > 1000)
  }

  @Test func `R64 ids are ordered by their bytes`() {
    let ids = ["b", "anna", "ann_1", "ann0", "ann-1", "ann"].compactMap { PersonID($0) }
    #expect(ids.sorted().map(\.rawValue) == ["ann", "ann-1", "ann0", "ann_1", "anna", "b"])
  }

  @Test func `R17 a prefix without room for a person is refused`() throws {
    let longest = Array(repeating: "seven77", count: 91).joined(separator: "/") + "/four"
    let layout = try LedgerLayout(prefix: longest)
    let id = try #require(PersonID(String(repeating: "a", count: 63)))
    #expect(throws: LedgerError.self) { _ = try layout.person(id) }
  }
}
