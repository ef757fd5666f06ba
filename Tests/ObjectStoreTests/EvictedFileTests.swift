import Foundation
import ObjectStore
import Testing

/// Folders of cloud drives, which keep some files elsewhere.
@Suite(.unit) struct EvictedFileTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  @Test func `an evicted file is not downloaded yet, and never missing`() async throws {
    let store = try scratch.store()
    #expect(try await store.put(key("d/a.json"), [1], if: .absent).isStored)
    try scratch.write("", to: "d/.b.json.icloud")
    try scratch.write("", to: "d/.whole.icloud")
    for name in ["d/b.json", "d/whole/x"] {
      for work: () async throws -> Void in [
        { _ = try await store.get(key(name), limit: 9) },
        { _ = try await store.put(key(name), [1], if: .absent) },
        { _ = try await store.put(key(name), [1], if: .matches(ETag("x"))) },
        { try await store.delete(key(name)) },
      ] {
        let error = await #expect(throws: StoreError.self) { try await work() }
        #expect(error?.code == .unreadable && error?.isRetryable == true)
        #expect(error?.message.contains("not downloaded yet") == true)
      }
    }
    let listed = try await store.listAll(ListRequest(prefix: "d/"))
    #expect(listed.map(\.key) == ["d/a.json", "d/b.json", "d/whole"])
    #expect(listed.map { $0.obstacle != nil } == [false, true, true])
    await #expect(throws: StoreError.self) { try await store.list(ListRequest(prefix: "d/whole/")) }

    try scratch.write("here", to: "d/b.json")
    #expect(try await store.get(key("d/b.json"), limit: 9)?.body == Array("here".utf8))
    let again = try await store.listAll(ListRequest(prefix: "d/b"))
    #expect(again.map(\.key) == ["d/b.json"] && again[0].obstacle == nil)
  }

  @Test func `locks and drafts stay on this machine where iCloud copies the rest`() async throws {
    let folder = "Library/Mobile Documents/iCloud~org~example~health/Documents"
    let store = try scratch.store(folder)
    #expect(store.isInCloudDrive)
    let etag = try #require(try await store.put(key("a"), [1], if: .absent).etag)
    #expect(try await store.put(key("a"), [2], if: .matches(etag)).isStored)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/" + folder)
    #expect(names.sorted() == [".s3health.nosync", "a"])
    #expect(try await store.listAll(ListRequest(prefix: "")).map(\.key) == ["a"])
    await #expect(throws: StoreError.self) {
      try await store.put(key(".s3health.nosync/x"), [1], if: .absent)
    }
    // By a link from elsewhere it is the same store, with the same locks.
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path + "/link", withDestinationPath: scratch.path + "/" + folder)
    #expect(try DirectoryStore(path: scratch.path + "/link").isInCloudDrive)
    #expect(try !scratch.store("plain").isInCloudDrive)
  }

  @Test func `a container is found by its name, as the system spells it`() {
    let path = CloudDrive.documents(ofContainer: "iCloud.org.example.health", home: "/Users/u")
    #expect(path == "/Users/u/Library/Mobile Documents/iCloud~org~example~health/Documents")
    #expect(
      CloudDrive.documents(ofContainer: "iCloud~org~example~health", home: "/Users/u") == path)
    for name in [
      "", "../x", "a/b", "a b", ".hidden", "\u{301}a", String(repeating: "a", count: 201),
    ] {
      #expect(CloudDrive.documents(ofContainer: name, home: "/Users/u") == nil, "\(name)")
    }
  }

  @Test func `half-written files of crashed programs are removed after a day, and no others`()
    throws
  {
    for name in [".x-old.part", ".x-young.part", "x-other.part"] { try scratch.write("", to: name) }
    let day = Date(timeIntervalSinceNow: -86_500)
    for name in [".x-old.part", "x-other.part"] {
      try FileManager.default.setAttributes(
        [.modificationDate: day], ofItemAtPath: scratch.path + "/" + name)
    }
    LeftoverParts.sweep(scratch.path, prefix: ".x-", suffix: ".part")
    #expect(try scratch.contents() == [".x-young.part", "x-other.part"])
    LeftoverParts.sweep(scratch.path + "/none", prefix: "")
  }
}
