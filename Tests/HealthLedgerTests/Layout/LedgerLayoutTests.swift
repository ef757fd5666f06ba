import HealthModel
import ObjectStore
import Testing

@testable import HealthLedger

/// R5 and R17: keys, written and read back.
@Suite(.unit) struct LedgerLayoutTests {
  @Test(arguments: ["", "me", "me/", "a/b/c", "München", "a b+c~"])
  func `R5 every key is read back as what it was made of`(prefix: String) throws {
    let layout = try LedgerLayout(prefix: prefix)
    for text in ["0001-01-01", "2024-02-29", "9999-12-31"] {
      let date = try Sample.date(text)
      #expect(layout.member(layout.pointerKey(date).rawValue) == .pointer(date))
      for suffix in ["ABCDEF", "0123456789ABCDEF", String(repeating: "F", count: 233), "7f3a2c"] {
        let id = try #require(RevisionID("20260310T120000Z-\(suffix)"))
        #expect(layout.member(layout.revisionKey(date, id).rawValue) == .revision(date, id))
      }
    }
  }

  @Test func `R5 the layout is the one documented`() throws {
    let layout = try LedgerLayout(prefix: "p")
    let date = try Sample.date("2026-02-08")
    #expect(layout.pointerKey(date).rawValue == "p/health/v0/data/2026/02/08/latest.json")
    #expect(
      LedgerLayout.root.revisionKey(date, Sample.id(0, entropy: 1)).rawValue
        == "health/v0/data/2026/02/08/revisions/20260310T120000Z-00000001.json")
    #expect(try LedgerLayout(prefix: "") == .root)
    #expect(try LedgerLayout(prefix: "p//") == layout)
  }

  @Test(arguments: [
    "/p", "a//b", ".", "..", "a/../b", "a\u{0}b", String(repeating: "x", count: 256),
  ])
  func `R17 a prefix that no key can hold is INVALID_ARGUMENTS`(prefix: String) {
    let error = #expect(throws: LedgerError.self) { _ = try LedgerLayout(prefix: prefix) }
    #expect(error?.code == .invalidArguments)
  }

  @Test(arguments: [
    ("a//b", "empty", "single slashes"),
    (String(repeating: "x", count: 256), "256 bytes", "shorter names"),
    (
      Array(repeating: "seven77", count: 95).joined(separator: "/"), "759 bytes; at most 732",
      "shorter prefix"
    ),
    ("a\u{7}b", "control character", "leave control characters out"),
  ])
  func `R17 the limit that a prefix breaks is named with its own remedy`(
    prefix: String, reason: String, remedy: String
  ) {
    let error = #expect(throws: LedgerError.self) { _ = try LedgerLayout(prefix: prefix) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(
      error?.remedy?.description.contains(remedy) == true, "\(String(describing: error?.remedy))")
  }

  @Test func `R17 the longest prefix leaves room for the longest id`() throws {
    let longest = Array(repeating: "seven77", count: 91).joined(separator: "/") + "/four"
    #expect(longest.utf8.count == 732)
    let layout = try LedgerLayout(prefix: longest)
    let id = try #require(RevisionID("20260310T120000Z-" + String(repeating: "F", count: 233)))
    #expect(layout.revisionKey(try Sample.date(), id).rawValue.utf8.count == 1024)
    #expect(throws: LedgerError.self) { _ = try LedgerLayout(prefix: longest + "5") }
  }

  @Test(arguments: [
    "2026/02/08/latest.JSON", "2026/02/08/latest.json/x", "2026/02/08/", "2026/02/08/revisions",
    "2026/02/08/revisions/", "2026/02/08/revisions/.json", "2026/02/08/latest.json ",
    "2026/02/08/revisions/20260310T120000Z-abcdeg.json",
    "2026/02/08/revisions/20260310T120000Z-ABCDE.json",
    "2026/02/08/revisions/20260231T120000Z-ABCDEF.json",
    "2026/02/08/revisions/20260310T120000Z-ABCDEF.json.json",
    "2026/02/08/revisions//20260310T120000Z-ABCDEF.json",
    "2026/02/08/Revisions/20260310T120000Z-ABCDEF.json",
    "2026/02/08/revisions/20260310T120000Z-ABCDEF.json\u{301}",
    "2026/02/08/revisions/\u{301}20260310T120000Z-ABCDEF.json",
  ])
  func `R5 what is almost a key is a foreign object of the day`(tail: String) throws {
    let date = try Sample.date("2026-02-08")
    #expect(LedgerLayout.root.member("health/v0/data/" + tail) == .foreign(date))
  }

  @Test(arguments: [
    "2026", "2026/02", "2026/2/8/latest.json", "2026/02/30/latest.json", "", "x/y/z",
  ])
  func `R5 what lies in no day is a foreign object of none`(tail: String) {
    #expect(LedgerLayout.root.member("health/v0/data/" + tail) == .foreign(nil))
  }

  @Test(
    arguments: [
      ("2026", "2026-01-01"), ("2026/02", "2026-02-01"), ("2026/02/08", "2026-02-08"),
      ("2026/02/08/revisions", "2026-02-08"),
      ("2026/02/08/revisions/20260310T120000Z-ABCDEF.json", "2026-02-08"),
      ("2026/02/08/latest.json", nil), ("2026/02/08/notes", nil), ("2026/02/08/revisions/x", nil),
      ("2026/02/30", nil), ("2026/13", nil), ("26", nil), ("2026/02 2", nil), ("", nil),
    ] as [(String, String?)])
  func `R29 what stands in the place of a folder may hide its days, from the first on`(
    tail: String, date: String?
  ) throws {
    for layout in [LedgerLayout.root, try LedgerLayout(prefix: "a/b")] {
      #expect(layout.firstDate(hiddenAt: layout.dataPrefix + tail)?.description == date)
    }
  }

  @Test func `R5 keys of another ledger are not this one's`() throws {
    let layout = try LedgerLayout(prefix: "caf\u{E9}")
    #expect(layout.member("health/v0/data/2026/02/08/latest.json") == nil)
    // The same text in another spelling is another key to a store.
    #expect(layout.member("cafe\u{301}/health/v0/data/2026/02/08/latest.json") == nil)
  }
}
