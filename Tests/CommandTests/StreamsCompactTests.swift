import Foundation
import TestSupport
import Testing

/// `streams compact` on a folder whose files are old (R66).
@Suite(.process) struct StreamsCompactTests {
  private func fill(_ program: Program) async throws {
    for number in 10..<18 {
      let line =
        #"{"timestamp":"2025-01-30T10:\#(number):00Z","sample_type":"HKQuantityTypeIdentifierHeartRate","value":\#(number),"unit":"bpm"}"#
      _ = try await program.run(
        ["queue", "add", "--stream", "healthkit", "--input", "-"], input: Array(line.utf8))
      try await program.succeeds(["sync"])
    }
  }

  /// The files below the streams, and lets them be so many seconds old.
  private func files(of program: Program, aging seconds: Double? = nil) throws -> [String] {
    let root = program.defaultStore.appending(path: "streams/v0")
    let names =
      FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    let files = names.filter { $0.hasSuffix(".gz") }.sorted()
    for file in files {
      guard let seconds else { break }
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -seconds)],
        ofItemAtPath: root.appending(path: file).path)
    }
    return files
  }

  @Test func `R66: old batches are packed, then removed, and every command reads them as before`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    try await fill(program)
    let cat = try await program.succeeds(["streams", "cat"]).output
    let raw = try await program.succeeds(["streams", "cat", "--raw"]).output
      .split(separator: "\n").sorted()
    // They were uploaded just now.
    let young = try await program.succeeds(["streams", "compact"]).output
    #expect(young.contains("nothing to pack yet"), "\(young)")
    let waits = #/waits until \d{4}-\d\d-\d\d: healthkit .* 2025-01-30 was uploaded less than 30/#
    #expect(young.contains(waits), "\(young)")
    // Their days are not derived yet.
    _ = try files(of: program, aging: 40 * 86_400)
    let marked = try await program.succeeds(["streams", "compact"])
    #expect(marked.output.contains("nothing to pack"))
    #expect(marked.output.contains("2025-01-30: its days are not derived yet"))
    let pending = program.defaultStore.appending(path: "streams/v0/.pending")
    try FileManager.default.removeItem(at: pending)

    let dry = try await program.succeeds(["streams", "compact", "--dry-run"])
    #expect(dry.output.contains("would pack 8 batches into 1"))
    #expect(try files(of: program).count == 8)
    let first = try await program.succeeds(["streams", "compact", "-o", "json"]).json()
    #expect(first["packed_batches"] as? Int == 8 && first["waiting_objects"] as? Int == 8)
    #expect(try files(of: program).count == 9)
    #expect(try await program.succeeds(["streams", "compact"]).output.contains("8 stay until"))
    _ = try files(of: program, aging: 40 * 86_400)
    let second = try await program.succeeds(["streams", "compact", "--older-than", "30d"])
    #expect(second.output.contains("packed 0 batches into 0, removed 8"))
    #expect(second.output.contains("9 > 1"))
    let left = try files(of: program)
    #expect(left.count == 1 && left[0].hasSuffix(".pack.gz"))

    #expect(try await program.succeeds(["streams", "cat"]).output == cat)
    let again = try await program.succeeds(["streams", "cat", "--raw"]).output
    #expect(again.split(separator: "\n").sorted() == raw)
    let list = try await program.succeeds(["streams", "ls", "-o", "json"]).json()
    #expect(list["batches"] as? Int == 8 && list["records"] as? Int == 8)
    let verify = try await program.succeeds(["streams", "verify", "-o", "json"]).json()
    #expect(verify["ok"] as? Bool == true)
    #expect(try await program.succeeds(["streams", "compact"]).output.contains("nothing to pack"))

    let pack = program.defaultStore.appending(path: "streams/v0/" + left[0])
    var bytes = try Data(contentsOf: pack)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: pack)
    let damaged = try await program.run(["streams", "verify"])
    #expect(damaged.exitCode == 1 && damaged.output.contains("not_gzip"))
    let derived = try await program.run(["collect", "--from-streams", "--catch-up", "3650"])
    #expect(derived.exitCode != 0)
  }

  @Test func `R66: too young, payloads and a synchronised folder are refused`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let young = try await program.run(["streams", "compact", "--older-than", "6d"])
    #expect(young.exitCode == 64 && young.errors.contains("at least 7d"))
    let payloads = try await program.run(["streams", "compact", "--stream", "payloads"])
    #expect(payloads.exitCode == 64 && payloads.errors.contains("payloads are not packed"))
    let container = try program.folder("Library/Mobile Documents/iCloud~x/Documents")
    try await program.fails(
      ["streams", "compact", "--store", container.path], as: .invalidArguments,
      saying: "synchronised")
  }
}
