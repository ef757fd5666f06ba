import Foundation
import TestSupport
import Testing

/// Kinds of store by name, and whose folders are written to.
@Suite(.server) struct FolderBackendTests {
  @Test(arguments: ["health/v0/.probe", "health/v0/data/.check", "health/v0/data"])
  func `R28: doctor says of a folder what a put finds where days are written`(
    obstacle: String
  ) async throws {
    let program = try Program()
    defer { program.removeHome() }
    _ = try program.file("store/\(obstacle)", [1])
    let store = ["--store", program.home.appending(path: "store").path]
    let doctor = try await program.run(["doctor"] + store)
    let put = try await program.run(["put", "--input", "-"] + store, input: payload())
    #expect([0, 1].contains(doctor.exitCode) == (put.exitCode == 0), "\(doctor)\(put)")
    #expect(doctor.output.contains("Not ready") == (put.exitCode != 0), "\(doctor.output)")
  }

  @Test(arguments: geteuid() == 0 ? ["s3://bucket/p"] : [])
  func `root makes no files in a user's home that the user could not read`(
    store: String
  ) async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    defer { program.removeHome() }
    #expect(
      try await program.inShell("chown 65534 \(program.home.path)").run([]).exitCode == 0)
    let put = try await program.run(
      [
        "put", "--input", "-", "--store", store, "--endpoint-url", server.endpoint("honest"),
      ], input: payload())
    #expect(put.exitCode == 77 && put.errors.contains("could not read"), "\(put.errors)")
    let given = try await program.run(
      [
        "put", "--input", "-", "--store", store, "--endpoint-url", server.endpoint("honest"),
        "--collector-id", UUID().uuidString, "--device-id", UUID().uuidString,
      ], input: payload())
    #expect(given.exitCode == 0, "\(given.errors)")
    let left = try FileManager.default.subpathsOfDirectory(atPath: program.home.path)
    #expect(left.allSatisfy { $0.hasPrefix(".input-") }, "\(left)")
  }

  /// Only root can give folders away: another user's turn is in `SharedFolderTests`.
  @Test(arguments: geteuid() == 0 ? ["store", ".local/share/s3health/store"] : [])
  func `root does not write into a user's store, and leaves nothing there`(
    name: String
  ) async throws {
    let program = try Program()
    defer { program.removeHome() }
    let store = try program.folder(name)
    let give = "chown -R 65534:65534 \(program.home.path)"
    #expect(try await program.inShell(give).run([]).exitCode == 0)
    let before = try FileManager.default.subpathsOfDirectory(atPath: program.home.path)
    for command in [["put", "--input", "-"], ["doctor"]] {
      let run = try await program.run(command + ["--store", store.path], input: payload())
      #expect(run.exitCode == 77)
      let text = run.output + run.errors
      #expect(text.contains("could not read what root writes"), "\(text)")
      #expect(text.contains("sudo -u nobody"), "\(text)")
    }
    let after = try FileManager.default.subpathsOfDirectory(atPath: program.home.path)
    #expect(after.filter { !$0.hasPrefix(".input-") } == before.filter { !$0.hasPrefix(".input-") })
    try await program.fails(
      ["verify", "--from", "2026-02-08", "--to", "2026-02-08", "--store", store.path],
      as: .dataNotFound, saying: "the store holds no days yet")
  }
}
