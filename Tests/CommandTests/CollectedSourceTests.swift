import Foundation
import TestSupport
import Testing

/// Which days of its source `collect` publishes, and what becomes of files that it can't read (R49).
@Suite(.process) struct CollectedSourceTests {
  private let tests = CollectCommandTests()

  @Test func `R49: each day that the store lacks is published, and a hole is filled`()
    async throws
  {
    var program = try tests.program()
    defer { program.removeHome() }
    program.environment["S3HEALTH_SOURCE"] = try program.file(
      "in.json", tests.payload(Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, 100 + $0) })))
    let days = program.defaultStore.appending(path: "health/v0/data")
    #expect(
      try await program.succeeds(["collect"]).output.contains("20 days: 20 published new"))
    let hole = tests.date(12).replacing("-", with: "/")
    try FileManager.default.removeItem(at: days.appending(path: hole))
    let filled = try await program.succeeds(["collect", "-o", "json"])
    #expect(
      try tests.outcomes(filled).filter { $0.hasSuffix("published") } == [
        "\(tests.date(12)) published"
      ])
    #expect(try tests.outcomes(filled).count == 9)
    let notes = try #require(try filled.json()["notes"] as? [String])
    #expect(
      notes.contains {
        $0.hasPrefix("\(tests.date(19)) to \(tests.date(8)) (11 days) are in the store")
      })
    try await program.succeeds(["verify", "..today"])
  }

  @Test func `R49: a broken file stops no other, and fails the run after an hour`()
    async throws
  {
    let program = try tests.program()
    defer { program.removeHome() }
    _ = try program.file("in/1.json", tests.payload([1: 1000]))
    _ = try program.file("in/3.json", tests.payload([3: 3000]))
    let folder = program.home.appending(path: "in").path
    let collect = ["collect", "--input", folder, "-o", "json"]
    // Cut off in its rows, so that it has said something before its fault; and empty.
    let cut = try program.file(
      "in/2.json",
      Array(String(decoding: tests.payload([2: 2000]), as: UTF8.self).dropLast(9).utf8))
    let empty = try program.file("in/4.json", [])
    let first = try await program.succeeds(collect)
    #expect(try tests.outcomes(first) == [3, 1].map { "\(tests.date($0)) published" })
    let notes = try #require(try first.json()["notes"] as? [String])
    for file in [cut, empty] {
      #expect(notes.contains { $0.contains(file) && $0.contains("may still be arriving") })
    }
    #expect(try await program.succeeds(["collect", "-q", "--input", folder]).errors.isEmpty)
    for file in [cut, empty] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3700)], ofItemAtPath: file)
    }
    _ = try program.file("in/5.json", tests.payload([5: 5000]))
    let later = try await program.run(["collect", "-q"] + collect.dropFirst())
    #expect(later.exitCode == 64, "\(later.errors)")
    #expect(try tests.outcomes(later).first == "\(tests.date(5)) published")
    #expect((try later.json()["errors"] as? [Any])?.count == 2)
    for file in [cut, empty] { #expect(later.errors.contains(file), "\(later.errors)") }
    #expect(try await program.succeeds(["status", "--log"]).output.contains("collect_failed"))
    // Whole again, it counts.
    _ = try program.file("in/2.json", tests.payload([2: 2000]))
    try FileManager.default.removeItem(atPath: empty)
    #expect(
      try tests.outcomes(try await program.succeeds(collect)).contains("\(tests.date(2)) published")
    )
    // Of a person's import nothing is published while a file is broken.
    _ = try program.file("in/6.json", [])
    try await program.fails(["import", folder], as: .invalidArguments, saying: "6.json")
  }
}
