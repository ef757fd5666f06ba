import TestSupport
import Testing

/// Too few descriptors, threads or bytes: one sentence with a remedy, never a signal or a hang (R40).
@Suite(.process) struct ProcessLimitTests {
  /// Runs commands under a limit; each either does its work or says what it lacks.
  private func expectASentence(_ limit: String, _ words: String) async throws -> Set<Int> {
    var program = try Program()
    program.environment["AWS_MAX_ATTEMPTS"] = "2"
    defer { program.removeHome() }
    let store = ["--store", try program.folder("store").path]
    let limited = program.inShell("\(limit); exec timeout 60 \"$@\"")
    var codes: Set<Int> = []
    for command in [
      ["put", "--input", "-"], ["get", "2026-02-08"],
      ["verify", "--from", "2026-02-08", "--to", "2026-02-08"],
      ["get", "--store", "s3://bucket", "--endpoint-url", "http://localhost:1"],
    ] {
      let run = try await limited.run(
        command.contains("--store") ? command : command + store, input: payload())
      codes.insert(run.exitCode)
      // 127: the loader itself found no memory for the program's libraries.
      if run.exitCode == 70 {
        #expect(run.errors.contains(words) && run.errors.contains("do: "), "\(run.errors)")
      } else {
        #expect([0, 1, 66, 69, 77, 127].contains(run.exitCode), "\(limit): \(run)")
      }
    }
    return codes
  }

  @Test(arguments: [5, 7, 10, 24])
  func `few descriptors end in a sentence`(count: Int) async throws {
    let codes = try await expectASentence(
      "ulimit -n \(count)", "the limit of open files is too low")
    #expect(codes == [70])
  }

  @Test func `a soft limit is raised as far as the hard one allows`() async throws {
    let codes = try await expectASentence("ulimit -S -n 8", "")
    #expect(!codes.contains(70))
  }

  @Test func `some descriptors are enough for some connections`() async throws {
    let codes = try await expectASentence("ulimit -n 48", "")
    #expect(!codes.contains(70))
  }

  #if os(Linux)
    @Test(arguments: [130_000, 200_000, 240_000, 400_000])
    func `little memory ends in a sentence or is enough`(kilobytes: Int) async throws {
      _ = try await expectASentence("ulimit -v \(kilobytes)", "the limit of memory is too low")
    }
  #endif

  @Test func `a program that asks for JSON gets the error as a document`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    let run = try await program.inShell("ulimit -n 10; exec \"$@\"").run("get", "--output", "json")
    #expect(run.exitCode == 70)
    let error = try #require(try run.json()["error"] as? [String: Any])
    #expect(error["code"] as? String == "INTERNAL")
    #expect((error["remedy"] as? String)?.contains("ulimit -n") == true)
  }
}
