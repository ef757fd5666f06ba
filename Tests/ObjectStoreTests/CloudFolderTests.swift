import Foundation
import Synchronization
import Testing

@testable import ObjectStore

/// A store in an iCloud container, with a cloud that is a folder here. The system's own was never run.
@Suite(.unit) struct CloudFolderTests {
  /// A cloud that notes what it is asked.
  private final class Cloud: CloudFolders {
    enum Manner { case willing, refuses, doesNothing }
    struct Refusal: Error {}

    let folder: URL?
    let manner = Mutex(Manner.willing)
    let changes = Mutex<[String]>([])

    init(_ folder: URL?) { self.folder = folder }

    func container(_ identifier: String?) -> URL? {
      folder?.appending(path: identifier ?? "first")
    }

    func coordinate(_ change: CloudChange, of file: URL, _ work: () throws -> Void) throws {
      switch manner.withLock({ $0 }) {
      case .refuses: throw Refusal()
      case .doesNothing: return
      case .willing: break
      }
      changes.withLock { $0.append("\(change) \(file.path)") }
      try work()
    }
  }

  private let scratch: ScratchFolder
  private let cloud: Cloud
  private let store: DirectoryStore

  init() throws {
    scratch = try ScratchFolder()
    cloud = Cloud(scratch.url)
    store = try DirectoryStore(cloudContainer: "iCloud.org.example.health", in: cloud)
  }

  @Test func `it lies in the Documents of the container that was asked for`() throws {
    #expect(store.path == scratch.path + "/iCloud.org.example.health/Documents")
    #expect(
      try DirectoryStore(cloudContainer: nil, in: cloud).path == scratch.path + "/first/Documents")
  }

  @Test func `without a container nothing is made, and the error says what to turn on`() throws {
    let error = #expect(throws: StoreError.self) {
      try DirectoryStore(cloudContainer: "iCloud.org.example.health", in: Cloud(nil))
    }
    #expect(error?.code == .storeMissing)
    #expect(error?.message.contains("iCloud.org.example.health") == true)
  }

  @Test func `each write and removal is coordinated, with the file that it changes`() async throws {
    let etag = try #require(try await store.put(key("d/a.json"), [1], if: .absent).etag)
    #expect(try await store.put(key("d/a.json"), [2], if: .matches(etag)).isStored)
    #expect(try await store.get(key("d/a.json"), limit: 9)?.body == [2])
    try await store.delete(key("d/a.json"))
    let file = store.path + "/d/a.json"
    let changes = cloud.changes.withLock { $0 }
    #expect(changes == ["replace \(file)", "replace \(file)", "remove \(file)"])
  }

  @Test func `a precondition that fails is refused inside the coordination too`() async throws {
    #expect(try await store.put(key("a"), [1], if: .absent).isStored)
    #expect(try await !store.put(key("a"), [2], if: .absent).isStored)
    #expect(try await store.get(key("a"), limit: 9)?.body == [1])
  }

  @Test func `what the cloud does not allow is not written, and may be tried again`() async throws {
    #expect(try await store.put(key("a"), [1], if: .absent).isStored)
    cloud.manner.withLock { $0 = .refuses }
    for work: () async throws -> Void in [
      { _ = try await store.put(key("b"), [1], if: .absent) },
      { try await store.delete(key("a")) },
    ] {
      let error = await #expect(throws: StoreError.self) { try await work() }
      #expect(error?.code == .unavailable && error?.isRetryable == true)
    }
    #expect(try await store.listAll(ListRequest(prefix: "")).map(\.key) == ["a"])
  }

  @Test func `a coordination that runs nothing is not a success`() async throws {
    cloud.manner.withLock { $0 = .doesNothing }
    let error = await #expect(throws: StoreError.self) {
      try await store.put(key("a"), [1], if: .absent)
    }
    #expect(error?.code == .internal)
  }
}
