import Foundation
import ObjectStore
import Secrets
import TestSupport
import Testing

/// Keys and tokens as files of one user.
@Suite(.unit) struct SecretFolderTests {
  /// Runs `work` with a folder that is not there yet, and removes it.
  private func withFolder(_ work: (SecretFolder, String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.path + "/secrets-\(UUID())/app"
    defer { try? FileManager.default.removeItem(atPath: path + "/..") }
    try work(SecretFolder(path: path), path)
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func `what is kept is found byte for byte, replaced and forgotten`() throws {
    try withFolder { secrets, path in
      #expect(try secrets.secret(named: "bucket") == nil)
      try secrets.forget(named: "bucket")
      for text in [
        "", "one", " two\nlines\n", "d\u{E4}s \u{1F511}\0", .init(repeating: "x", count: 64 << 10),
      ] {
        try secrets.keep(Secret(text), named: "bucket")
        #expect(try SecretFolder(path: path).secret(named: "bucket") == Secret(text))
      }
      try secrets.keep(Secret("other"), named: "server.token_1-a")
      try secrets.forget(named: "bucket")
      #expect(try secrets.secret(named: "bucket") == nil)
      #expect(try secrets.secret(named: "server.token_1-a") == Secret("other"))
    }
  }

  @Test func `the folder and its files belong to their user alone, and no draft remains`() throws {
    try withFolder { secrets, path in
      try secrets.keep(Secret("a"), named: "bucket")
      try secrets.keep(Secret("b"), named: "bucket")
      #expect(mode(path) == 0o700 && mode(path + "/bucket") == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["bucket"])
    }
  }

  @Test func `a file that others may read or change is refused, and kept again is used`() throws {
    try withFolder { secrets, path in
      try secrets.keep(Secret("hunter2"), named: "bucket")
      for mode in [0o640, 0o604, 0o620, 0o602, 0o610] as [mode_t] {
        chmod(path + "/bucket", mode)
        let failure = #expect(throws: StoreError.self) {
          try secrets.secret(named: "bucket")
        }
        #expect(failure?.code == .notAuthorized)
        #expect(failure?.description.contains("chmod 600 \(path)/bucket") == true)
        #expect(failure?.description.contains("hunter2") == false)
      }
      try secrets.keep(Secret("new"), named: "bucket")
      #expect(try secrets.secret(named: "bucket") == Secret("new"))
    }
  }

  @Test func `what is not an ordinary file, not text or too large is refused`() throws {
    try withFolder { secrets, path in
      try secrets.keep(Secret("a"), named: "other")
      mkfifo(path + "/pipe", 0o600)
      try FileManager.default.createDirectory(
        atPath: path + "/folder", withIntermediateDirectories: true)
      for name in ["pipe", "folder"] {
        let failure = #expect(throws: StoreError.self) { try secrets.secret(named: name) }
        #expect(failure?.code == .notAuthorized)
      }
      for bytes in [[0xFF, 0xFE], [UInt8](repeating: 0x61, count: (64 << 10) + 1)] {
        try Data(bytes).write(to: URL(filePath: path + "/bytes"))
        chmod(path + "/bytes", 0o600)
        let failure = #expect(throws: StoreError.self) { try secrets.secret(named: "bytes") }
        #expect(failure?.code == .invalidRequest)
      }
    }
  }

  @Test(arguments: ["", ".", "..", ".hidden", "a/b", "../a", "a b", "\u{E9}", "a\0", "a\n"])
  func `a name that could be a path or hidden is refused`(name: String) throws {
    try withFolder { secrets, _ in
      let failures: [StoreError?] = [
        #expect(throws: StoreError.self) { try secrets.secret(named: name) },
        #expect(throws: StoreError.self) { try secrets.keep(Secret("s"), named: name) },
        #expect(throws: StoreError.self) { try secrets.forget(named: name) },
      ]
      for failure in failures { #expect(failure?.code == .invalidRequest) }
    }
  }

  @Test func `a secret that is too large is refused, and the old one stays`() throws {
    try withFolder { secrets, _ in
      try secrets.keep(Secret("old"), named: "bucket")
      let failure = #expect(throws: StoreError.self) {
        try secrets.keep(Secret(.init(repeating: "x", count: (64 << 10) + 1)), named: "bucket")
      }
      #expect(failure?.code == .invalidRequest)
      #expect(try secrets.secret(named: "bucket") == Secret("old"))
    }
  }

  @Test func `a folder that can't be used says so, with the remedy`() throws {
    let secrets = SecretFolder(path: "/dev/null/secrets")
    for work in [
      { _ = try secrets.secret(named: "bucket") },
      { try secrets.keep(Secret("hunter2"), named: "bucket") },
      { try secrets.forget(named: "bucket") },
    ] {
      let failure = #expect(throws: StoreError.self) { try work() }
      #expect(failure?.code == .unavailable)
      #expect(failure?.description.contains("check the folder /dev/null/secrets") == true)
      #expect(failure?.description.contains("hunter2") == false)
    }
  }

  @Test func `of many that keep at once one wins, and no reader finds a part`() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/secrets-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let secrets = SecretFolder(path: path)
    let texts = (0..<8).map { String(repeating: "\($0)", count: 10_000) }
    try secrets.keep(Secret(texts[0]), named: "bucket")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for text in texts {
        group.addTask {
          for _ in 0..<20 {
            try secrets.keep(Secret(text), named: "bucket")
            let found = try secrets.secret(named: "bucket")
            #expect(found.map { texts.contains($0.revealed) } == true)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `no description of a secret shows it`() {
    let secret = Secret("hunter2")
    var dumped = ""
    dump([secret], to: &dumped)
    for text in [
      "\(secret)", String(reflecting: secret), "\([secret])", "\(secret as Any?)", dumped,
    ] {
      #expect(!text.contains("hunter2") && text.contains("<secret>"))
    }
  }
}
