import Foundation
import ObjectStore
import Testing

/// Whose a store's files are, and who may read them.
@Suite(.unit) struct SharedFolderTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func mode(_ name: String) -> mode_t {
    var status = stat()
    return lstat(scratch.path + "/" + name, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test(arguments: [(0o2770 as mode_t, 0o660 as mode_t), (0o2750, 0o640)])
  func `a setgid folder passes its group's rights on to all that is made in it`(
    folder: mode_t, file: mode_t
  ) async throws {
    #expect(chmod(scratch.path, folder) == 0)
    let store = try scratch.store()
    let etag = try #require(try await store.put(key("a/b/c"), [1], if: .absent).etag)
    #expect(try await store.put(key("a/b/c"), [2], if: .matches(etag)).isStored)
    #expect(mode("a/b/c") == file)
    for name in ["a", "a/b", ".s3health", ".s3health/locks", ".s3health/tmp"] {
      #expect(mode(name) == folder, "\(name) \(String(mode(name), radix: 8))")
    }
    let locks = try FileManager.default.contentsOfDirectory(
      atPath: scratch.path + "/.s3health/locks")
    #expect(!locks.isEmpty)
    for lock in locks { #expect(mode(".s3health/locks/" + lock) == file) }
  }

  @Test func `another folder stays its owner's alone, whatever its group may do`() async throws {
    #expect(chmod(scratch.path, 0o770) == 0)
    _ = try await scratch.store().put(key("a/b"), [1], if: .absent)
    #expect(mode("a/b") == 0o600)
    #expect(mode("a") == 0o700)
  }

  @Test func `a user's store accepts nothing that the user could not read`() async throws {
    let own = try scratch.store()
    let etag = try #require(try await own.put(key("a"), [1], if: .absent).etag)
    let before = try FileManager.default.subpathsOfDirectory(atPath: scratch.path).sorted()
    // As root finds it after `sudo`.
    let others = try scratch.store { $0.owner = 65_534 }
    for work: () async throws -> Void in [
      { _ = try await others.put(key("b"), [1], if: .absent) },
      { _ = try await others.put(key("a"), [2], if: .matches(etag)) },
      { try await others.delete(key("a")) },
      { try others.checkOwner() },
    ] {
      let error = await #expect(throws: StoreError.self) { try await work() }
      #expect(error?.code == .notAuthorized)
      #expect(error?.message.contains("could not read") == true)
      guard case .runAs(let user) = error?.remedy else {
        Issue.record("\(String(describing: error?.remedy))")
        continue
      }
      #expect(!user.isEmpty)
    }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: scratch.path).sorted() == before)
    #expect(try await others.get(key("a"), limit: 9)?.body == [1], "reading makes nothing")

    #expect(chmod(scratch.path, 0o2770) == 0)
    let shared = try scratch.store { $0.owner = 65_534 }
    #expect(try await shared.put(key("b"), [1], if: .absent).isStored)
  }

  @Test func `the owner of a store that root made may be written for by others`() async throws {
    let store = try scratch.store { $0.owner = 0 }
    #expect(try await store.put(key("a"), [1], if: .absent).isStored)
  }
}
