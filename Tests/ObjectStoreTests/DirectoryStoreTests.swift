import Foundation
import ObjectStore
import Testing

/// What a folder promises beyond the conformance suite.
@Suite(.unit) struct DirectoryStoreTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func permissions(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: scratch.path + "/" + name)[.posixPermissions]
      as? Int
  }

  @Test func `an object is a file of its owner at the path of its key`() async throws {
    let store = try scratch.store()
    let body = Array("hello".utf8)
    #expect(try await store.put(key("a/b/c.json"), body, if: .absent).isStored)
    #expect(FileManager.default.contents(atPath: scratch.path + "/a/b/c.json") == Data(body))
    #expect(try permissions("a/b/c.json") == 0o600)
    #expect(try permissions("a") == 0o700)
    #expect(try permissions(".s3health") == 0o700)
  }

  @Test func `another store sees what one has written`() async throws {
    let etag = try #require(
      try await scratch.store().put(key("a/b"), [1], if: .absent).etag)
    let other = try DirectoryStore(root: scratch.url)
    #expect(try await other.get(key("a/b"), limit: 9)?.etag == etag)
    #expect(try await other.put(key("a/b"), [2], if: .matches(etag)).isStored)
  }

  @Test func `a file put there by hand is an object`() async throws {
    try scratch.write("by hand", to: "notes/2026.txt")
    let store = try scratch.store()
    let object = try #require(try await store.get(key("notes/2026.txt"), limit: 99))
    #expect(object.etag == store.predictedETag(of: Array("by hand".utf8)))
    #expect(object.lastModified.map { abs($0 - Int(Date().timeIntervalSince1970)) < 3600 } == true)
    #expect(try await store.listAll(ListRequest(prefix: "")).map(\.key) == ["notes/2026.txt"])
  }

  @Test func `the store's own folder is neither listed nor written nor read`() async throws {
    let store = try scratch.store()
    _ = try await store.conditionalWrites()
    _ = try await store.put(key("a"), [1], if: .absent)
    try scratch.write("x", to: ".s3health/locks/x")
    #expect(try await store.listAll(ListRequest(prefix: "")).map(\.key) == ["a"])
    #expect(try await store.listAll(ListRequest(prefix: ".s3health/locks/")).isEmpty)
    for name in [".s3health", ".s3health/locks/x", ".S3Health/tmp/y", ".s3health.owner-1"] {
      let error = await #expect(throws: StoreError.self) {
        try await store.put(key(name), [1], if: .absent)
      }
      #expect(error?.code == .invalidRequest)
      await #expect(throws: StoreError.self) { try await store.get(key(name), limit: 9) }
      await #expect(throws: StoreError.self) { try await store.delete(key(name)) }
    }
    #expect(try await store.put(key("below/.s3health"), [1], if: .absent).isStored)
    #expect(try await store.listAll(ListRequest(prefix: "below/")).count == 1)
  }

  @Test func `a delete leaves no empty folders, and no full ones`() async throws {
    let store = try scratch.store()
    for name in ["a/b/c/d", "a/e"] { _ = try await store.put(key(name), [1], if: .absent) }
    try await store.delete(key("a/b/c/d"))
    #expect(try scratch.contents() == ["a", "a/e"])
    try await store.delete(key("a/e"))
    #expect(try scratch.contents() == [])
  }

  @Test func `a key whose place is taken by a folder or a file is refused clearly`() async throws {
    let store = try scratch.store()
    _ = try await store.put(key("a/b"), [1], if: .absent)
    for name in ["a", "a/b/c"] {
      let error = await #expect(throws: StoreError.self) {
        try await store.put(key(name), [1], if: .absent)
      }
      #expect(error?.code == .unreadable)
      #expect(error?.key == name)
      #expect(error?.remedy?.description.contains("in the way") == true)
    }
    #expect(try await store.get(key("a/b/c"), limit: 9) == nil)
    try await store.delete(key("a/b/c"))
    #expect(try await store.get(key("a/b"), limit: 9)?.body == [1])
  }

  @Test func `creators and removers of folders do not trip over each other`() async throws {
    let store = try scratch.store()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          let mine = try key("deep/er/\(worker)")
          for _ in 0..<25 {
            let outcome = try await store.put(mine, [UInt8(worker)], if: .absent)
            #expect(outcome.isStored)
            #expect(try await store.get(mine, limit: 9)?.body == [UInt8(worker)])
            try await store.delete(mine)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try scratch.contents() == [])
  }

  @Test func `a prefix that no key can have lists nothing, and leads nowhere`() async throws {
    try scratch.write("secret", to: "outside/x")
    let store = try scratch.store("root")
    _ = try await store.put(key("a"), [1], if: .absent)
    for prefix in ["/", "../", "../outside/", "a//", "./", "x/../", "b\0/", "a/"] {
      #expect(try await store.listAll(ListRequest(prefix: prefix)).isEmpty, "\(prefix)")
    }
  }

  @Test func `a folder that is a link is reported, and can't be asked for`() async throws {
    let store = try scratch.store()
    for name in ["d/10/x", "d/12/x"] { _ = try await store.put(key(name), [1], if: .absent) }
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path + "/d/11", withDestinationPath: scratch.path + "/d/12")
    let listed = try await store.listAll(ListRequest(prefix: "d/", limit: 1))
    #expect(listed.map(\.key) == ["d/10/x", "d/11", "d/12/x"])
    #expect(listed[1].obstacle?.message.contains("\(scratch.path)/d/11 is a symbolic link") == true)
    for request in [
      ListRequest(prefix: "d/11/"), ListRequest(prefix: "d/", startAfter: "d/11/"),
      ListRequest(prefix: "d/", startAfter: "d/11/x"),
    ] {
      await #expect(throws: StoreError.self) { try await store.list(request) }
    }
    let after = try await store.listAll(ListRequest(prefix: "d/", startAfter: "d/12/"))
    #expect(after.map(\.key) == ["d/12/x"])
  }

  @Test func `a file of a killed writer is removed, that of a living one is not`() async throws {
    let store = try scratch.store { $0.leftoverAge = .zero }
    _ = try await store.conditionalWrites()
    try scratch.write("left over", to: ".s3health/tmp/1-dead")
    try scratch.write("in use", to: ".s3health/tmp/1-alive")
    let alive = open(scratch.path + "/.s3health/tmp/1-alive", O_RDWR)
    #expect(alive >= 0 && flock(alive, LOCK_EX) == 0)
    defer { close(alive) }
    _ = try await store.put(key("a"), [1], if: .absent)
    #expect(scratch.temporaryFiles() == ["1-alive"])
  }

  @Test func `R29: a file that showed who owns new files is not listed, and goes after a day`()
    async throws
  {
    let (old, young) = (".s3health.owner-1", ".s3health.owner-2")
    for name in [old, young] { try scratch.write("", to: name) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -86_500)],
      ofItemAtPath: scratch.url.appending(path: old).path)
    let store = try scratch.store()
    #expect(try await store.listAll(ListRequest(prefix: "")).isEmpty)
    _ = try await store.put(key("a"), [1], if: .absent)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    #expect(Set(names) == ["a", ".s3health", young])
    #expect(try await store.listAll(ListRequest(prefix: "")).map(\.key) == ["a"])
  }

  @Test func `a young file is left alone, for its writer may not have locked it yet`() async throws
  {
    let store = try scratch.store()
    try scratch.write("young", to: ".s3health/tmp/1-young")
    _ = try await store.put(key("a"), [1], if: .absent)
    #expect(scratch.temporaryFiles() == ["1-young"])
  }

  @Test func `a lock that hangs is given up with a remedy, or when the task is cancelled`()
    async throws
  {
    let store = try scratch.store { $0.lockPatience = .milliseconds(50) }
    let etag = try #require(try await store.put(key("a"), [1], if: .absent).etag)
    _ = try await store.conditionalWrites()
    var held: [Int32] = []
    defer { held.forEach { close($0) } }
    for stripe in 0..<64 {
      try scratch.write("", to: ".s3health/locks/\(stripe)")
      held.append(open(scratch.path + "/.s3health/locks/\(stripe)", O_RDWR))
      #expect(flock(held[stripe], LOCK_EX) == 0)
    }
    let error = await #expect(throws: StoreError.self) {
      try await store.put(key("a"), [2], if: .matches(etag))
    }
    #expect(error?.code == .unavailable && error?.isRetryable == true && error?.remedy != nil)
    let patient = try scratch.store()
    let task = Task { try await patient.put(key("a"), [2], if: .matches(etag)) }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    await #expect(throws: StoreError.self) { try await task.value }
    #expect(try await store.get(key("a"), limit: 9)?.body == [1])
    #expect(scratch.temporaryFiles() == [])
  }

  @Test(.slow) func `R29: writers that wait for a lock keep no reader waiting`() async throws {
    let store = try scratch.store()
    let etag = try #require(try await store.put(key("a"), [1], if: .absent).etag)
    _ = try await store.put(key("a"), [2], if: .matches(etag))
    let stripe = try #require(
      FileManager.default.contentsOfDirectory(atPath: scratch.path + "/.s3health/locks").first)
    let held = open(scratch.path + "/.s3health/locks/" + stripe, O_RDWR)
    #expect(flock(held, LOCK_EX) == 0)
    let writers = (0..<64).map { _ in
      Task { try await store.put(key("a"), [3], if: .matches(ETag(digestOf: [2]))) }
    }
    // Each that waits has written its file.
    while scratch.temporaryFiles().count < 16 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(try await store.get(key("a"), limit: 9)?.body == [2])
    close(held)
    var stored = 0
    for writer in writers { if try await writer.value.isStored { stored += 1 } }
    #expect(stored == 1)
  }

  @Test func `without locks nothing is replaced`() async throws {
    let store = try scratch.store { $0.usesLocks = false }
    let etag = try #require(try await store.put(key("a"), [1], if: .absent).etag)
    let error = await #expect(throws: StoreError.self) {
      try await store.put(key("a"), [2], if: .matches(etag))
    }
    #expect(error?.code == .unsupported)
    let bare = try scratch.store("bare") { ($0.usesLocks, $0.usesHardLinks) = (false, false) }
    #expect(try await bare.conditionalWrites() == .unsafe)
    await #expect(throws: StoreError.self) { try await bare.put(key("a"), [2], if: .absent) }
    #expect(try await bare.get(key("a"), limit: 9) == nil)
  }
}

extension PutOutcome {
  var etag: ETag? { if case .stored(let etag) = self { etag } else { nil } }
}
