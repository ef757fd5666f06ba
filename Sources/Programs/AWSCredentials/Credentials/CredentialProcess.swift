import ObjectStore
import S3Store
import Secrets
import Subprocess

/// A program of the user that prints keys as JSON. It runs without a shell and without our standard
/// input, with limits on its time and output.
struct CredentialProcess: Sendable {
  let command: Secret
  let source: String
  /// Long enough for a person who has to touch a key or confirm in a browser.
  var timeout: Duration = .seconds(60)

  func run(_ environment: AWSEnvironment) async throws(StoreError) -> ResolvedCredentials {
    guard let words = ShellWords.split(command.revealed), let program = words.first else {
      throw StoreError(
        .invalidRequest, "\(source) is empty or has an open quote", remedy: "correct the command")
    }
    let variables = environment.forChildProcess
    let arguments = Array(words.dropFirst())
    // A task group would wait for the program's children, which may hold the pipe open after the
    // program was killed.
    let outcome = await Deadline.run(timeout) { () -> Outcome in
      do {
        let result = try await Subprocess.run(
          program.utf8.contains(UInt8(ascii: "/")) ? .path(.init(program)) : .name(program),
          arguments: .init(arguments), environment: .custom(variables), input: .none,
          output: .bytes(limit: CredentialsDocument.maximumBytes),
          error: .string(limit: 1 << 20))
        return .ended(
          result.terminationStatus.isSuccess, "\(result.terminationStatus)",
          output: result.standardOutput, diagnostics: result.standardError)
      } catch let error as SubprocessError {
        return .failed(
          error.code == .executableNotFound
            ? "the program was not found"
            : error.code == .outputLimitExceeded ? "it printed too much" : "it could not be run")
      } catch {
        return .failed("it could not be run")
      }
    }
    switch outcome {
    case nil where Task.isCancelled:
      throw StoreError(.cancelled, "\(source) was cancelled")
    case nil:
      throw failure("it took longer than \(timeout)")
    case .failed(let why):
      throw failure(why)
    case .ended(false, let status, let output, let diagnostics):
      throw failure(
        "\(status)\(said(diagnostics, hiding: output, environment))")
    case .ended(true, _, let output, let diagnostics):
      do {
        return try CredentialsDocument.read(output, .process, source: source)
      } catch {
        throw StoreError(
          error.code, error.message + said(diagnostics, hiding: output, environment),
          remedy: error.remedy ?? Self.remedy)
      }
    }
  }

  private enum Outcome: Sendable {
    case ended(Bool, String, output: [UInt8], diagnostics: String)
    case failed(String)
  }

  private static let remedy: StoreError.Remedy = "run the command by itself and see what it prints"

  private func failure(_ why: String) -> StoreError {
    StoreError(.unavailable, "\(source) failed: \(why)", remedy: Self.remedy)
  }

  /// What the program wrote to standard error, without any word that it printed to standard output.
  private func said(
    _ diagnostics: String, hiding output: [UInt8], _ environment: AWSEnvironment
  ) -> String {
    let printed = String(decoding: output, as: UTF8.self).split { " \t\r\n\",:{}".contains($0) }
      .filter { $0.utf8.count >= 8 }.map { Secret(String($0)) }
    let text = Redaction.words(diagnostics, hiding: printed + environment.secrets)
    return text.isEmpty ? "" : "; it said: \(text)"
  }
}

extension AWSEnvironment {
  fileprivate var forChildProcess: [Environment.Key: String] {
    var child: [Environment.Key: String] = [:]
    for (name, value) in allVariables { child[Environment.Key(stringLiteral: name)] = value }
    return child
  }
}

/// Splits a command line into words as a POSIX shell does, and as the AWS CLI splits
/// `credential_process`: quotes and backslashes only, no variables, patterns or pipes.
enum ShellWords {
  /// The words, or nil if a quote or escape is not closed.
  static func split(_ line: String) -> [String]? {
    var words: [String] = []
    var word: [UInt8]?
    var quote: UInt8?
    var bytes = line.utf8.makeIterator()
    while let byte = bytes.next() {
      switch (quote, byte) {
      case (nil, 0x20), (nil, 0x09), (nil, 0x0A), (nil, 0x0D):
        if let complete = word { words.append(String(decoding: complete, as: UTF8.self)) }
        word = nil
      case (nil, UInt8(ascii: "'")), (nil, UInt8(ascii: "\"")):
        quote = byte
        word = word ?? []
      case (let open?, _) where byte == open:
        quote = nil
      case (nil, UInt8(ascii: "\\")):
        guard let next = bytes.next() else { return nil }
        word = (word ?? []) + [next]
      case (UInt8(ascii: "\"")?, UInt8(ascii: "\\")):
        guard let next = bytes.next() else { return nil }
        let isEscape = next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\")
        word = (word ?? []) + (isEscape ? [next] : [byte, next])
      default:
        word = (word ?? []) + [byte]
      }
    }
    guard quote == nil else { return nil }
    if let complete = word { words.append(String(decoding: complete, as: UTF8.self)) }
    return words
  }
}
