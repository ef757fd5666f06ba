import Foundation
import TestSupport
import Testing

/// Further names and folders that are no store.
extension UnfitFolderTests {
  @Test func `a file is not a store, and stays as it is`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let file = try program.file("notes.txt", Array("mine".utf8))
    try await program.fails(
      ["put", "--input", "-", "--store", file], input: payload(), as: .invalidArguments,
      saying: "\(file) is not a folder", "name a folder")
    #expect(FileManager.default.contents(atPath: file) == Data("mine".utf8))
  }

  @Test func `a folder that can't be read says so, and is not taken for an empty one`() async throws
  {
    let owner = try Program()
    defer { owner.removeHome() }
    let store = try owner.folder("store")
    try await owner.succeeds(["put", "--input", "-", "--store", store.path], input: payload())
    let month = store.appending(path: "health/v0/data/2026/02")
    chmod(month.path, 0)
    defer { chmod(month.path, 0o755) }
    let program = owner.withoutPrivileges()
    try await program.fails(
      ["get", "2026-02-08", "--store", store.path], as: .notAuthorized,
      saying: store.path,
      "Permission denied")
    try await program.fails(
      ["verify", "--from", "2026-02-08", "--to", "2026-02-08", "--store", store.path],
      as: .notAuthorized, saying: store.path,
      "Permission denied")
  }

  @Test func `a name that is not a store is refused with the forms that are`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    for (name, phrase) in [
      ("gs://bucket/x", "no kind of store \"gs://\""),
      ("http://127.0.0.1/bucket", "no kind of store \"http://\""),
      ("file://host/path", "is not a path on this machine"), ("", "empty"),
      ("s3://", "bucket"), ("s3://NO/x", "bucket's name"),
      ("s3://bucket/a//b", "between single slashes"),
      ("s3://bucket/../b", "\"..\""),
    ] {
      try await program.fails(
        ["put", "--input", "-", "--store", name, "--region", "r"], input: payload(),
        as: .invalidArguments, saying: phrase)
    }
  }
}
