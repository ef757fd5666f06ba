import Foundation
import Testing

@testable import ObjectStore

/// Single files and folders that belong to their owner alone.
@Suite(.unit) struct SmallFileTests {
  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func `a read takes one byte more than its limit, so that too long a file is noticed`()
    throws
  {
    let scratch = try ScratchFolder()
    try scratch.write(String(repeating: "x", count: 200_000), to: "long")
    try scratch.write("", to: "empty")
    #expect(try SmallFile.read(scratch.path + "/long", maximumBytes: 100_000).count == 100_001)
    #expect(try SmallFile.read(scratch.path + "/long", maximumBytes: 300_000).count == 200_000)
    #expect(try SmallFile.read(scratch.path + "/empty", maximumBytes: 10).isEmpty)
    for (name, number) in [("absent", ENOENT), ("", EISDIR)] {
      let failure = #expect(throws: SystemFailure.self) {
        _ = try SmallFile.read(scratch.path + "/" + name, maximumBytes: 10)
      }
      #expect(failure?.number == number)
    }
  }

  @Test func `a file is made once, whole and for its owner, and no draft remains`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path + "/ids.json"
    // Others of the group share what is stored in such a folder, but not what is private.
    chmod(scratch.path, 0o2770)
    try SmallFile.create(path, Array("first".utf8))
    #expect(mode(path) == 0o600)
    let failure = #expect(throws: SystemFailure.self) {
      try SmallFile.create(path, Array("second".utf8))
    }
    #expect(failure?.number == EEXIST)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "first")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["ids.json"])
  }

  @Test func `a private folder is made with those above it, and one that exists stays`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path + "/a/b/c"
    try PrivateFolder.create(path)
    #expect(mode(path) == 0o700 && mode(scratch.path + "/a") == 0o700)
    chmod(path, 0o755)
    try PrivateFolder.create(path)
    try PrivateFolder.create(path + "/")
    #expect(mode(path) == 0o755)
    try scratch.write("", to: "file")
    for name in ["/file", "/file/below"] {
      let failure = #expect(throws: SystemFailure.self) {
        try PrivateFolder.create(scratch.path + name)
      }
      #expect(failure?.reason == "Not a directory")
    }
  }

  @Test func `a file manager's error has the system's words`() throws {
    let scratch = try ScratchFolder()
    let error = #expect(throws: (any Error).self) {
      _ = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/absent")
    }
    #expect(SystemFailure.reason(of: try #require(error)) == "No such file or directory")
  }
}
