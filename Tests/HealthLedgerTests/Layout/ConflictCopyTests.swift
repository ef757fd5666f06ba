import Testing

@testable import HealthLedger

/// Names that synchronising services give to what two machines wrote (R35).
@Suite(.unit) struct ConflictCopyTests {
  @Test(arguments: [
    ("latest 2.json", "latest.json"), ("latest (1).json", "latest.json"),
    ("latest (Ada's conflicted copy 2026-02-08).json", "latest.json"),
    ("latest-LAPTOP.json", "latest.json"),
    ("latest.sync-conflict-20260208-101010-ABCDEFG.json", "latest.json"),
    ("latest_conflict-20260208.json", "latest.json"), ("latest.json.conflict1", "latest.json"),
    (
      "revisions/20260208T100000Z-7F3A2C.json.conflict2",
      "revisions/20260208T100000Z-7F3A2C.json"
    ),
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
  func `R35: other foreign names are not conflict copies`(path: String) {
    let copy = ConflictCopy(path: path)
    #expect(copy == nil, "\(path)")
  }

  @Test(
    arguments: [
      ("2026/02/08 2/latest.json", "2026/02/08 2", "2026/02/08", "2026-02-08"),
      ("2026/02/08 (1)/revisions/x.json", "2026/02/08 (1)", "2026/02/08", "2026-02-08"),
      (
        "2026/02/08 (Ada's conflicted copy)/x", "2026/02/08 (Ada's conflicted copy)", "2026/02/08",
        "2026-02-08"
      ),
      ("2026/02 2/08/revisions/x.json", "2026/02 2", "2026/02", "2026-02-08"),
      ("2026/02 2/notes.txt", "2026/02 2", "2026/02", nil),
      ("2026 2/02/08/latest.json", "2026 2", "2026", "2026-02-08"),
    ] as [(String, String, String, String?)])
  func `R35: a folder's copy is known by its name, and what it copies`(
    path: String, folder: String, original: String, date: String?
  ) {
    let copy = FolderCopy(path: path)
    #expect(copy?.folder == folder && copy?.original == original)
    #expect(copy?.date?.description == date)
    #expect(copy?.isOfDay == (original == "2026/02/08"))
  }

  @Test(arguments: [
    "2026/02/08/latest.json", "2026/02/08 2", "2026/02 2", "2026/02/08-old/x", "2026/02/08x/y",
    "2026/02/30 2/x", "2026/13 2/08/x", "x 2/02/08/y", "2026/02/08/revisions 2/x", "", "/", "//",
  ])
  func `R35: other folders are not copies`(path: String) {
    let copy = FolderCopy(path: path)
    #expect(copy == nil, "\(path)")
  }
}
