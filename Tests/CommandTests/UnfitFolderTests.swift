import Foundation
import TestSupport
import Testing

/// Folders that are not a store, or can't be written to.
@Suite(.process) struct UnfitFolderTests {
  @Test func `a folder that does not exist is not made, since its disk may be away`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let absent = program.home.path + "/disk/health"
    for command in [
      ["put", "--input", "-"], ["get", "2026-02-08"],
      ["verify", "--from", "2026-02-08", "--to", "2026-02-08"],
    ] {
      try await program.fails(
        command + ["--store", absent], input: payload(), as: .storageUnavailable,
        saying: "the folder \(absent) does not exist", "mounted")
    }
    #expect(!FileManager.default.fileExists(atPath: absent))
    let doctor = try await program.run("doctor", "--store", absent)
    #expect(doctor.exitCode == 69)
    #expect(doctor.output.contains("does not exist") && doctor.output.contains("do: "))
  }

  @Test func `a folder without the right to write is refused, and can be read`() async throws {
    let owner = try Program()
    defer { owner.removeHome() }
    let store = try owner.folder("store")
    try await owner.succeeds(["put", "--input", "-", "--store", store.path], input: payload())
    let before = try contents(of: store)
    try setModes(of: store, folder: 0o555, file: 0o444)
    defer { try? setModes(of: store, folder: 0o755, file: 0o644) }
    let program = owner.withoutPrivileges()
    try await program.fails(
      ["put", "--input", "-", "--store", store.path], input: payload(steps: 9),
      as: .notAuthorized, saying: store.path, "right to read and write")
    try await program.fails(
      ["put", "--input", "-", "--store", store.path], input: payload("2026-02-09"),
      as: .notAuthorized, saying: store.path)
    let get = try await program.succeeds(["get", "2026-02-08", "--store", store.path])
    #expect(get.output.contains("8,432"))
    let doctor = try await program.run("doctor", "--store", store.path)
    #expect(doctor.exitCode == 77)
    #expect(doctor.output.contains("right to read and write"), "\(doctor.output)")
    #expect(try contents(of: store) == before)
  }

  @Test func `a full disk loses nothing, and takes the day once there is room`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    try await withFullStore(program) { program, store, makeRoom in
      let put = ["put", "--input", "-", "--store", store.path]
      let before = try contents(of: store)
      let again = try await program.fails(
        put, input: payload(steps: 9), as: .storageUnavailable, saying: store.path)
      #expect(again["retryable"] is Bool)
      #expect(try contents(of: store) == before)
      let get = try await program.succeeds(["get", "2026-02-08", "--store", store.path])
      #expect(get.output.contains("8,432"))
      let freed = try await makeRoom()
      try await freed.succeeds(put, input: payload(steps: 9))
      let latest = try await freed.succeeds(["get", "2026-02-08", "--store", store.path])
      #expect(latest.output.contains("  9\n"))
    }
  }

  /// A store with 2026-02-08 in it and no room for more: a disk of its own where we may mount one,
  /// else a limit on the size of files.
  private func withFullStore(
    _ program: Program,
    _ work: (Program, URL, () async throws -> Program) async throws -> Void
  ) async throws {
    let store = try program.folder("disk")
    let put = ["put", "--input", "-", "--store", store.path]
    guard geteuid() == 0 else {
      try await program.succeeds(put, input: payload())
      let limited = program.inShell("ulimit -f 0; exec \"$@\"")
      return try await work(limited, store) { program }
    }
    let mount = program.inShell("mount -t tmpfs -o size=64k tmpfs \(store.path)")
    try #require(try await mount.run([]).exitCode == 0)
    do {
      try await program.succeeds(put, input: payload())
      let filler = store.appending(path: "filler")
      _ = try await program.inShell("cat /dev/zero >\(filler.path)").run([])
      try await work(program, store) {
        try FileManager.default.removeItem(at: filler)
        return program
      }
    } catch {
      _ = try await program.inShell("umount \(store.path)").run([])
      throw error
    }
    try #require(try await program.inShell("umount \(store.path)").run([]).exitCode == 0)
  }

  private func setModes(of folder: URL, folder folderMode: mode_t, file fileMode: mode_t) throws {
    // From the top when opening and from below when closing, which either way has the right to.
    chmod(folder.path, 0o755)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let path = folder.appending(path: name)
      var isDirectory: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: path.path, isDirectory: &isDirectory)
      if isDirectory.boolValue {
        try setModes(of: path, folder: folderMode, file: fileMode)
      } else {
        chmod(path.path, fileMode)
      }
    }
    chmod(folder.path, folderMode)
  }
}
