import Foundation
import TestSupport
import Testing

/// The codes of SPEC R40 with their exit codes.
enum FailureCode: String {
  case invalidArguments = "INVALID_ARGUMENTS"
  case dataNotFound = "DATA_NOT_FOUND"
  case storageUnavailable = "STORAGE_UNAVAILABLE"
  case `internal` = "INTERNAL"
  case notAuthorized = "NOT_AUTHORIZED"

  var exitCode: Int {
    switch self {
    case .invalidArguments: 64
    case .dataNotFound: 66
    case .storageUnavailable: 69
    case .internal: 70
    case .notAuthorized: 77
    }
  }
}

extension Program {
  /// Runs a command that must fail, for programs and in `scripts/test all` for people too, and expects of
  /// both: the exit code, every phrase, something to do next, and no result that looks like one.
  @discardableResult
  func fails(
    _ arguments: [String], input: some ProgramInput = [UInt8](), as code: FailureCode,
    saying phrases: String..., at location: SourceLocation = #_sourceLocation
  ) async throws -> [String: Any] {
    try await fails(arguments, input, code, phrases, location)
  }

  /// The same of arguments, settings or an input that can't be right.
  @discardableResult
  func refuses(
    _ arguments: [String], input: some ProgramInput = [UInt8](), saying phrases: String...,
    at location: SourceLocation = #_sourceLocation
  ) async throws -> [String: Any] {
    try await fails(arguments, input, .invalidArguments, phrases, location)
  }

  @discardableResult
  func fails(
    _ arguments: [String], _ input: some ProgramInput, _ code: FailureCode, _ phrases: [String],
    _ location: SourceLocation = #_sourceLocation
  ) async throws -> [String: Any] {
    if TestDepth.now == .all {
      let text = try await run(arguments, input: input)
      text.expect(code.exitCode, phrases + ["\n  do:     "], at: location)
      // Remarks on the days may come before.
      let own = text.errors.split(separator: "\n").first { !$0.hasPrefix("note: ") }
      #expect(own?.hasPrefix("\(name): ") == true, "\(text.errors)", sourceLocation: location)
      let isPut = arguments.first == "put"
      #expect(
        text.output.isEmpty || (isPut && text.output.hasPrefix("failed")), "\(text.output)",
        sourceLocation: location)
    }
    let document = try await run(arguments + ["--output", "json"], input: input)
    #expect(document.exitCode == code.exitCode, "\(document.errors)", sourceLocation: location)
    let json = try document.json()
    let results = json["results"] as? [[String: Any]]
    let found = json["error"] ?? results?.compactMap { $0["error"] }.first
    let error = try #require(found as? [String: Any], "\(json)", sourceLocation: location)
    #expect(error["code"] as? String == code.rawValue, sourceLocation: location)
    #expect(error["retryable"] is Bool, sourceLocation: location)
    #expect(error["remedy"] is String, "\(error)", sourceLocation: location)
    let whole = ["message", "key", "rule", "remedy"].compactMap { error[$0] as? String }
      .joined(separator: "\n")
    for phrase in phrases { #expect(whole.contains(phrase), "\(whole)", sourceLocation: location) }
    return error
  }

  /// Runs a command that must end with a code, with phrases on stderr and others on stdout.
  @discardableResult
  func run(
    _ arguments: [String], input: some ProgramInput = [UInt8](), ends code: Int,
    saying phrases: String..., printing words: String...,
    at location: SourceLocation = #_sourceLocation
  ) async throws -> Run {
    let run = try await run(arguments, input: input)
    run.expect(code, phrases, words, at: location)
    return run
  }

  /// Runs a command that must succeed, with phrases on stderr and others on stdout.
  @discardableResult
  func succeeds(
    _ arguments: [String], input: some ProgramInput = [UInt8](), saying phrases: String...,
    printing words: String..., at location: SourceLocation = #_sourceLocation
  ) async throws -> Run {
    let run = try await run(arguments, input: input)
    try #require(
      run.exitCode == 0, "\(arguments): \(run.errors)\(run.output)", sourceLocation: location)
    run.expect(0, phrases, words, at: location)
    return run
  }

  /// Publishes the day or the days of an input.
  @discardableResult
  func put(
    _ input: some ProgramInput, _ more: [String] = [], saying phrases: String...,
    printing words: String..., at location: SourceLocation = #_sourceLocation
  ) async throws -> Run {
    let run = try await succeeds(["put", "--input", "-"] + more, input: input, at: location)
    run.expect(0, phrases, words, at: location)
    return run
  }

  /// The folder that is the store where nothing is said.
  var defaultStore: URL {
    #if os(macOS)
      home.appending(path: "Library/Application Support/s3health/store")
    #else
      home.appending(path: ".local/share/s3health/store")
    #endif
  }

  /// The program with its stdout on a terminal of so many columns.
  func onTerminal(columns: Int, errorsToo: Bool = false) throws -> Program {
    var program = try wrapped(by: "terminal.py", "\(columns)\(errorsToo ? "+" : "")")
    program.environment["TERM"] = "xterm-256color"
    return program
  }

  /// The program, interrupted once the server has got such a request from it.
  func interrupted(
    by server: HostileStore, at method: String, _ part: String, with signal: String = "SIGINT"
  ) throws -> Program {
    try wrapped(by: "signalled.py", "request", signal, server.log, method, part)
  }

  /// The program run by a script of Tests/Peers.
  func wrapped(by script: String, _ arguments: String...) throws -> Program {
    var program = self
    let path = ProjectTree.root.appending(path: "Tests/Peers/\(script)").path
    program.wrapper = [try PeerPython.interpreter(), path] + arguments
    return program
  }

  /// The program run by `sh -c`, which finds its command line as "$@".
  func inShell(_ script: String) -> Program {
    var program = self
    program.wrapper = ["sh", "-c", script, "sh"]
    return program
  }

  /// The program with the keys, endpoint and region of a test server in its environment.
  func on(_ server: TestServer) -> Program {
    var program = self
    program.environment["AWS_ACCESS_KEY_ID"] = server.accessKey
    program.environment["AWS_SECRET_ACCESS_KEY"] = server.secretKey
    program.environment["AWS_ENDPOINT_URL"] = server.endpoint
    program.environment["AWS_REGION"] = server.region
    return program
  }
}

extension Program.Run {
  /// Expects an exit code, phrases on stderr and words on stdout.
  func expect(
    _ code: Int, _ phrases: [String], _ words: [String] = [], at location: SourceLocation
  ) {
    #expect(exitCode == code, "\(errors)\(output)", sourceLocation: location)
    for phrase in phrases {
      #expect(errors.contains(phrase), "\(errors)", sourceLocation: location)
    }
    for word in words { #expect(output.contains(word), "\(output)", sourceLocation: location) }
  }
}

extension TestServer {
  /// Makes a bucket, or denies some keys of it, as Tests/Peers/bucket.py says.
  ///
  /// - Returns: what makes a program's environment that of one who is denied.
  func deny(_ question: [String: Any]) async throws -> [String: String] {
    let input = try JSONSerialization.data(
      withJSONObject: question.merging(["binds_owner": bindsOwner]) { $1 })
    let output = try await PeerPython.run("bucket.py", arguments: ["deny"], input: Array(input))
    return try JSONDecoder().decode([String: String].self, from: Data(output))
  }

  /// Has an independent client put a folder's files below a prefix.
  func put(_ folder: URL, below prefix: String) async throws {
    let input = try JSONSerialization.data(
      withJSONObject: question(["folder": folder.path, "prefix": prefix]))
    _ = try await PeerPython.run("bucket.py", arguments: ["put"], input: Array(input))
  }

  /// Arguments that name a fresh prefix of a bucket, and the authority to trust.
  func arguments(bucket: String? = nil, prefix: String = "commands/\(UUID())") -> [String] {
    ["--store", "s3://\(bucket ?? self.bucket)/\(prefix)"]
      + (caBundle.map { ["--ca-bundle", $0] } ?? [])
  }
}

/// Every file below a folder with its bytes, without the store's own scratch folder.
func contents(of folder: URL) throws -> [String: Data] {
  var files: [String: Data] = [:]
  let names = FileManager.default.enumerator(atPath: folder.path)
  while let name = names?.nextObject() as? String {
    guard !name.hasPrefix(".s3health") else { continue }
    if let data = FileManager.default.contents(atPath: folder.appending(path: name).path) {
      files[name] = data
    }
  }
  return files
}

/// A metrics JSON of one day.
func payload(_ date: String = "2026-02-08", steps: Int = 8432) -> [UInt8] {
  Array(#"{"date": "\#(date)", "metrics": {"steps": \#(steps)}}"#.utf8)
}

extension Program {
  /// The program as root without root's right to pass over the modes of files; other users have
  /// no such right in the first place.
  func withoutPrivileges() -> Program {
    var program = self
    #if os(Linux)
      if geteuid() == 0 { program.wrapper = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] }
    #endif
    return program
  }
}
