import Foundation
import ObjectStore
import Subprocess
import Testing

/// Folders that can't be written: for want of rights, of room, or because the disk is read-only.
@Suite(.serialized, .process) struct ConfinedDiskTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  @Test func `a folder of somebody else is refused by name, and can be read`() async throws {
    let store = try scratch.store()
    _ = try await store.put(key("there"), [1], if: .absent)
    chmod(scratch.path, 0o555)
    chmod(scratch.path + "/.s3health", 0o555)
    chmod(scratch.path + "/.s3health/tmp", 0o555)
    defer { chmod(scratch.path, 0o755) }
    // Root may write everywhere, so it becomes nobody first.
    let user = geteuid() == 0 ? ["user=65534"] : []
    for name in ["new", "new/folder"] {
      let run = try await WriterProgram.run([scratch.path, "put", name, "5"] + user)
      let line = try #require(run.lines.first)
      #expect(line.hasPrefix("notAuthorized"), "\(line)")
      #expect(line.contains(scratch.path) && line.contains("give this user the right"), "\(line)")
    }
    #expect(try scratch.contents() == ["there"])
  }

  @Test func `a write beyond the limit for files fails, and leaves nothing`() async throws {
    let run = try await WriterProgram.run(
      [scratch.path, "put", "big", "100000", "largestFile=65536"])
    let line = try #require(run.lines.first)
    #expect(line.hasPrefix("unavailable") && line.contains("limit"), "\(line)")
    #expect(try scratch.contents() == [])
    #expect(scratch.temporaryFiles() == [])
    let small = try await WriterProgram.run(
      [scratch.path, "put", "small", "1000", "largestFile=65536"])
    #expect(small.lines.first?.hasPrefix("stored") == true)
  }

  @Test func `a name too long for the file system is refused as one`() async throws {
    // Every valid segment fits here, so the root's path is what is too long.
    let path = scratch.path + "/" + String(repeating: "n", count: 300)
    let error = #expect(throws: StoreError.self) {
      try DirectoryStore(path: path, createsRoot: true)
    }
    #expect(
      error?.code == .invalidRequest && error?.remedy?.description.contains("shorten") == true)
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a disk takes root"))
  func `a full disk is reported as such, and works again once there is room`() async throws {
    try await withSmallDisk { disk in
      let store = try DirectoryStore(path: disk)
      var stored: [String] = []
      var failure: StoreError?
      for number in 0..<200 where failure == nil {
        do throws(StoreError) {
          let name = try fillKey(number)
          guard
            try await store.put(name, [UInt8](repeating: 1, count: 20_000), if: .absent).isStored
          else { continue }
          stored.append(name.rawValue)
        } catch { failure = error }
      }
      #expect(failure?.code == .unavailable && failure?.isRetryable == true)
      #expect(failure?.description.contains("full") == true, "\(String(describing: failure))")
      #expect(!stored.isEmpty)
      #expect(try await store.listAll(ListRequest(prefix: "")).map(\.key) == stored)
      for name in stored {
        #expect(try await store.get(key(name), limit: 1 << 20)?.body.count == 20_000)
      }
      try await store.delete(key(stored[0]))
      #expect(try await store.put(key(stored[0]), [1], if: .absent).isStored)
      let left = try FileManager.default.contentsOfDirectory(atPath: disk + "/.s3health/tmp")
      #expect(left == [])
    }
  }

  @Test(.enabled(if: geteuid() == 0, "mounting a disk takes root"))
  func `a read-only disk can be read, and says what it is when written`() async throws {
    try await withSmallDisk { disk in
      let store = try DirectoryStore(path: disk)
      _ = try await store.put(key("a/b"), [1], if: .absent)
      try await mount(["-o", "remount,ro", disk])
      let again = try DirectoryStore(path: disk)
      #expect(try await again.get(key("a/b"), limit: 9)?.body == [1])
      #expect(try await again.listAll(ListRequest(prefix: "")).map(\.key) == ["a/b"])
      for name in ["c", "a/c", "new/c"] {
        let error = await #expect(throws: StoreError.self) {
          try await again.put(key(name), [1], if: .absent)
        }
        #expect(error?.code == .unavailable)
        #expect(error?.description.contains("read-only") == true)
      }
      await #expect(throws: StoreError.self) { try await again.conditionalWrites() }
    }
  }

  private func fillKey(_ number: Int) throws(StoreError) -> ObjectKey {
    guard let key = ObjectKey("full/\(1000 + number)") else {
      throw StoreError(.internal, "no key")
    }
    return key
  }

  /// A file system in memory of 256 kilobytes.
  private func withSmallDisk(_ work: (String) async throws -> Void) async throws {
    let disk = scratch.path + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    try await mount(["-t", "tmpfs", "-o", "size=256k", "tmpfs", disk])
    do {
      try await work(disk)
    } catch {
      try await run("umount", [disk])
      throw error
    }
    try await run("umount", [disk])
  }

  private func mount(_ arguments: [String]) async throws { try await run("mount", arguments) }

  private func run(_ program: String, _ arguments: [String]) async throws {
    let result = try await Subprocess.run(
      .name(program), arguments: .init(arguments), output: .discarded,
      error: .string(limit: 1 << 14))
    try #require(
      result.terminationStatus.isSuccess, "\(program): \(result.standardError)")
  }
}
