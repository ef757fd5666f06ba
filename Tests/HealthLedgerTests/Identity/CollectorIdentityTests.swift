import Foundation
import HealthModel
import Testing

@testable import HealthLedger

/// R12: the two ids are made once and stay the same.
@Suite(.unit) struct CollectorIdentityTests {
  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "collector-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  @Test func `R12 the ids are made once and found again`() async throws {
    try await withFolder { folder in
      let nested = folder.appending(path: "a/b")
      let first = try CollectorIdentity.loadOrCreate(in: nested)
      #expect(first.collectorID != first.deviceID)
      #expect(try CollectorIdentity.loadOrCreate(in: nested) == first)
      let names = try FileManager.default.contentsOfDirectory(atPath: nested.path)
      #expect(names == [CollectorIdentity.fileName])
    }
  }

  @Test func `the file is its owner's alone and has the two documented members`() async throws {
    try await withFolder { folder in
      let collector = try CollectorIdentity.loadOrCreate(in: folder)
      let file = folder.appending(path: CollectorIdentity.fileName)
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
      let value = try JSONValue(parsing: Array(try Data(contentsOf: file)))
      #expect(
        value
          == .object([
            "collector_id": .string(collector.collectorID.uuidString),
            "device_id": .string(collector.deviceID.uuidString),
          ]))
    }
  }

  @Test func `R12 all who start at once get the same ids`() async throws {
    for _ in 0..<20 {
      try await withFolder { folder in
        let collectors = try await withThrowingTaskGroup(of: Collector.self) { group in
          for _ in 0..<8 {
            group.addTask { try CollectorIdentity.loadOrCreate(in: folder) }
          }
          return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(collectors.count == 1)
      }
    }
  }

  @Test(arguments: [
    "", "{", "{}", "[]", "null", #"{"collector_id":"x","device_id":"y"}"#,
    #"{"collector_id":"4E0A0B4E-2E08-4B63-9B50-010203040506"}"#,
    #"{"collector_id":1,"device_id":2}"#, String(repeating: " ", count: 5000),
  ])
  func `a damaged file is an error and is left as it is`(text: String) async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: CollectorIdentity.fileName)
      try Data(text.utf8).write(to: file)
      let error = #expect(throws: LedgerError.self) {
        _ = try CollectorIdentity.loadOrCreate(in: folder)
      }
      #expect(error?.code == .invalidArguments)
      #expect(error?.key == file.path)
      #expect(try Data(contentsOf: file) == Data(text.utf8))
    }
  }

  @Test func `a folder that can't be made is an error that names the file`() async throws {
    try await withFolder { folder in
      try Data().write(to: folder)  // a file where the folder should be
      let error = #expect(throws: LedgerError.self) {
        _ = try CollectorIdentity.loadOrCreate(in: folder.appending(path: "x"))
      }
      #expect(error?.code == .storageUnavailable)
    }
  }
}
