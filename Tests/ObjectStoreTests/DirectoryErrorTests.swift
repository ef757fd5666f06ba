import Foundation
import ObjectStore
import Testing

/// Every way in which a folder can be unusable has its own message, code and remedy.
@Suite(.unit) struct DirectoryErrorTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func expect(
    _ code: StoreError.Code, _ words: String, _ work: () async throws -> Void
  ) async {
    let error = await #expect(throws: StoreError.self) { try await work() }
    #expect(error?.code == code)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "nothing")")
    #expect(error?.remedy?.description.isEmpty == false)
  }

  @Test func `a missing root is named`() async throws {
    await expect(.storeMissing, "\(scratch.path)/none does not exist") {
      _ = try DirectoryStore(path: scratch.path + "/none")
    }
    let store = try scratch.store("soon gone")
    try FileManager.default.removeItem(atPath: scratch.path + "/soon gone")
    await expect(.storeMissing, "does not exist") { _ = try await store.get(key("a"), limit: 1) }
    await expect(.storeMissing, "does not exist") {
      _ = try await store.put(key("a"), [], if: .absent)
    }
    await expect(.storeMissing, "does not exist") {
      _ = try await store.list(ListRequest(prefix: ""))
    }
  }

  @Test func `a root that is a file is refused`() async throws {
    try scratch.write("x", to: "file")
    await expect(.invalidRequest, "is not a folder") {
      _ = try DirectoryStore(path: scratch.path + "/file")
    }
    await expect(.unreadable, "in the way") {
      _ = try DirectoryStore(path: scratch.path + "/file/below", createsRoot: true)
    }
  }

  @Test func `a URL that is not a file's, and a path that is not one, are refused`() async throws {
    let url = try #require(URL(string: "https://example.org/x"))
    await expect(.invalidRequest, "https is not the scheme") { _ = try DirectoryStore(root: url) }
    await expect(.invalidRequest, "empty") { _ = try DirectoryStore(path: "") }
    await expect(.invalidRequest, "not a path") { _ = try DirectoryStore(path: "a\0b") }
  }

  @Test func `a root is made with those above it, for its owner alone`() async throws {
    _ = try DirectoryStore(path: scratch.path + "/x/y/z", createsRoot: true)
    let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path + "/x/y")
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func `a root may be reached by a link, what is inside may not`() async throws {
    let real = try scratch.store("real")
    try scratch.write("secret", to: "outside/secret")
    _ = try await real.put(key("a/b"), [1], if: .absent)
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: scratch.path + "/link", withDestinationPath: scratch.path + "/real")
    let store = try DirectoryStore(path: scratch.path + "/link")
    #expect(try await store.get(key("a/b"), limit: 9)?.body == [1])

    try files.createSymbolicLink(
      atPath: scratch.path + "/real/out", withDestinationPath: scratch.path + "/outside")
    try files.createSymbolicLink(
      atPath: scratch.path + "/real/a/secret",
      withDestinationPath: scratch.path + "/outside/secret")
    for name in ["out/secret", "a/secret"] {
      await expect(.unreadable, "symbolic links") { _ = try await store.get(key(name), limit: 99) }
      await expect(.unreadable, "symbolic links") { try await store.delete(key(name)) }
      await expect(.unreadable, "symbolic links") {
        _ = try await store.put(key(name), [1], if: .absent)
      }
      await expect(.unreadable, "symbolic links") {
        _ = try await store.put(key(name), [1], if: .matches(ETag("x")))
      }
    }
    await expect(.unreadable, "symbolic links") {
      _ = try await store.put(key("out/new"), [1], if: .absent)
    }
    let listed = try await store.listAll(ListRequest(prefix: ""))
    #expect(listed.map(\.key) == ["a/b", "a/secret", "out"])
    #expect(listed.map { $0.obstacle?.code } == [nil, .unreadable, .unreadable])
    #expect(try files.contentsOfDirectory(atPath: scratch.path + "/outside") == ["secret"])
  }

  @Test(arguments: 0..<4)
  func `a link is not followed at any level of a deep key`(level: Int) async throws {
    let store = try scratch.store("real")
    let folders = ["a", "b", "c", "d"]
    let path = folders.joined(separator: "/") + "/e"
    _ = try await store.put(key(path), [1], if: .absent)
    #expect(try await store.get(key(path), limit: 9)?.body == [1])
    // Something like it outside of the store, and a link to that.
    try scratch.write("secret", to: "outside/" + path)
    let part = folders[...level].joined(separator: "/")
    let files = FileManager.default
    try files.removeItem(atPath: scratch.path + "/real/" + part)
    try files.createSymbolicLink(
      atPath: scratch.path + "/real/" + part, withDestinationPath: scratch.path + "/outside/" + part
    )
    for _ in 0..<2 {
      await expect(.unreadable, "symbolic links") { _ = try await store.get(key(path), limit: 9) }
      await expect(.unreadable, "symbolic links") { try await store.delete(key(path)) }
      await expect(.unreadable, "symbolic links") {
        _ = try await store.put(key(path), [2], if: .absent)
      }
    }
    #expect(
      try String(contentsOfFile: scratch.path + "/outside/" + path, encoding: .utf8) == "secret")
  }

  @Test func `a link in the place of the store's own folder is not followed`() async throws {
    let store = try scratch.store("real")
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path + "/real/.s3health", withDestinationPath: scratch.path)
    await expect(.unreadable, "symbolic links") {
      _ = try await store.put(key("a"), [1], if: .absent)
    }
    #expect(try await store.get(key("a"), limit: 9) == nil)
  }

  @Test func `a pipe in the place of an object does not hang a reader`() async throws {
    let store = try scratch.store()
    #expect(mkfifo(scratch.path + "/pipe", 0o600) == 0)
    await expect(.unreadable, "pipe or device") { _ = try await store.get(key("pipe"), limit: 9) }
    let listed = try await store.listAll(ListRequest(prefix: ""))
    #expect(listed.map { $0.obstacle?.code } == [.unreadable])
  }
}
