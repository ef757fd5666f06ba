import Testing

@testable import HealthLedger

/// Names that synchronising services give to what two machines wrote (R35).
@Suite struct ConflictCopyTests {
  @Test(arguments: [
    ("latest 2.json", "latest.json"), ("latest (1).json", "latest.json"),
    ("latest (Ada's conflicted copy 2026-02-08).json", "latest.json"),
    ("latest-LAPTOP.json", "latest.json"),
    ("latest.sync-conflict-20260208-101010-ABCDEFG.json", "latest.json"),
    ("latest_conflict-20260208.json", "latest.json"),
    (
      "revisions/20260208T100000Z-7F3A2C 2.json", "revisions/20260208T100000Z-7F3A2C.json"
    ),
    (
      "revisions/20260208T100000Z-7F3A2C-laptop.json", "revisions/20260208T100000Z-7F3A2C.json"
    ),
    ("revisions 2/20260208T100000Z-7F3A2C.json", "revisions/20260208T100000Z-7F3A2C.json"),
  ])
  func `R35: a copy is known by its name, and what it copies`(path: String, original: String) {
    #expect(ConflictCopy(path: path)?.original == original)
  }

  @Test(arguments: [
    "latest.json", "latest.json.bak", "latest", "later 2.json", "latest2.json", "notes.txt",
    "revisions/notes 2.json", "revisions/20260208T100000Z-7F3A2C.json", "revisions/x/latest 2.json",
    "revisions/20261308T100000Z-7F3A2C 2.json", "", "/", "revisions",
  ])
  func `R35: other foreign names are none`(path: String) {
    let copy = ConflictCopy(path: path)
    #expect(copy == nil, "\(path)")
  }
}
