import Foundation
import Testing

@testable import ObjectStore

/// Files that are replaced whole, and files that processes take turns with.
@Suite(.unit) final class FileReplacementTests {
  private let scratch = FileManager.default.temporaryDirectory
    .appending(path: "s3health-files-\(UUID().uuidString)").path

  init() throws { try PrivateFolder.create(scratch) }

  deinit { try? FileManager.default.removeItem(atPath: scratch) }

  private var path: String { scratch + "/state" }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch).sorted()
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test(arguments: [true, false])
  func `a file is replaced by a new one of its owner alone, and no part is left`(
    isDurable: Bool
  ) throws {
    try Data("old".utf8).write(to: URL(filePath: path))
    chmod(path, 0o644)
    let old = try #require(FileHandle(forReadingAtPath: path))
    try SmallFile.replace(path, with: Array("new".utf8), isDurable: isDurable)
    #expect(try SmallFile.read(path, maximumBytes: 9) == Array("new".utf8))
    #expect(mode(path) == 0o600)
    // Who had it open has the old content whole.
    #expect(try old.readToEnd() == Data("old".utf8))
    #expect(try names() == ["state"])
  }

  @Test func `a replacement that is given up leaves the old file and no part`() throws {
    try SmallFile.replace(path, with: Array("old".utf8))
    do {
      let file = try FileReplacement(of: path)
      try file.append(Array("half of the".utf8))
      #expect(try names().count == 2)
    }
    #expect(try names() == ["state"])
    #expect(try SmallFile.read(path, maximumBytes: 9) == Array("old".utf8))
    #expect(throws: SystemFailure.self) {
      try SmallFile.replace(scratch + "/none/state", with: [1])
    }
  }

  @Test func `a link is replaced, and what it leads to stays`() throws {
    try SmallFile.replace(scratch + "/other", with: Array("other".utf8))
    symlink(scratch + "/other", path)
    try SmallFile.replace(path, with: Array("new".utf8))
    #expect(try SmallFile.read(scratch + "/other", maximumBytes: 9) == Array("other".utf8))
    #expect(try SmallFile.read(path, maximumBytes: 9) == Array("new".utf8))
  }

  @Test func `what crashed writers left a day ago is removed with the next replacement`() throws {
    let (old, young) = (scratch + "/.s3health-1.part", scratch + "/.s3health-2.part")
    for part in [old, young] { try Data("half".utf8).write(to: URL(filePath: part)) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -86_500)], ofItemAtPath: old)
    try SmallFile.replace(path, with: [])
    #expect(try names() == [".s3health-2.part", "state"])
  }

  @Test func `one has a lock file at a time, and it goes on with who waits`() throws {
    let (first, second) = (try LockFile(path), try LockFile(path))
    #expect(mode(path) == 0o600)
    try first.wait()
    #expect(try !second.take())
    first.release()
    #expect(try second.take())
    #expect(try !first.take())
    second.release()
    try first.wait()
    first.release()
  }

  @Test func `a lock ends with the value that has it`() throws {
    do {
      let lock = try LockFile(path)
      try lock.wait()
      #expect(try !LockFile(path).take())
      lock.release()
    }
    #expect(try LockFile(path).take())
  }

  @Test func `a lock file that was moved away is not taken for the one of its name`() throws {
    let lock = try LockFile(path)
    #expect(try lock.isStill(path))
    rename(path, path + ".older")
    #expect(try !lock.isStill(path))
    try SmallFile.create(path, [])
    #expect(try !lock.isStill(path))
    #expect(try lock.isStill(path + ".older"))
  }

  @Test func `a lock file is not a link, and a pipe is not waited for`() throws {
    try SmallFile.create(scratch + "/other", [])
    symlink(scratch + "/other", path)
    let failure = #expect(throws: SystemFailure.self) { try LockFile(path) }
    #expect(failure?.number == ELOOP)
    mkfifo(scratch + "/pipe", 0o600)
    _ = try LockFile(scratch + "/pipe")
  }
}
