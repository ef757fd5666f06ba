import Foundation
import TestSupport
import Testing

/// Further inputs that are refused.
extension BadPayloadTests {
  private func expectRefused(_ bytes: [UInt8], _ first: String, _ second: String) async throws {
    let program = try Program()
    defer { program.removeHome() }
    let file = try program.file("input.json", bytes)
    try await program.fails(
      ["put", "--input", file], as: .invalidArguments, saying: file, first, second)
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `bytes that are not UTF-8 are refused with their place`() async throws {
    try await expectRefused(
      Array(#"{"metrics": {"st"#.utf8) + [0xFF] + Array(#"eps": 1}}"#.utf8), "not UTF-8", "byte 16")
    try await expectRefused([0xFF, 0xFE] + Array("{\0}\0".utf8), "UTF-16", "UTF-8")
    try await expectRefused([0x1F, 0x8B, 8, 0, 0, 0, 0, 0], "gzip", "decompress")
  }

  @Test func `50 MB of no payload are refused without being read to their end`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let file = try program.file("big.json", [])
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.truncate(atOffset: 50 << 20)
    try handle.close()
    try await program.fails(
      ["put", "--input", file], as: .invalidArguments, saying: file, "not valid JSON",
      "too long at byte 0")
    try await program.inShell("head -c 52428800 /dev/zero | \"$@\"").fails(
      ["put", "--input", "-"], as: .invalidArguments, saying: "on stdin", "larger than 32 MB")
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `metrics JSON of more than 32 MB is refused with its size`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 33 << 20)
    let file = try program.file(
      "big.json", Array(#"{"days":["#.utf8) + blanks + Array("]}".utf8))
    try await program.fails(
      ["put", "--input", file], as: .invalidArguments, saying: file, "larger than 32 MB",
      "split it")
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `an input that is not a readable file is named`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let absent = program.home.path + "/absent.json"
    try await program.fails(
      ["put", "--input", absent], as: .invalidArguments,
      saying: "there is no file or folder \(absent)",
      "- is stdin")
    try await program.fails(
      ["put", "--input", program.home.path], as: .invalidArguments,
      saying: "\(program.home.path) is a folder")
    let closed = try program.file("closed.json", payload())
    chmod(closed, 0)
    try await program.withoutPrivileges().fails(
      ["put", "--input", closed], as: .invalidArguments, saying: closed, "permissions")
  }
}
