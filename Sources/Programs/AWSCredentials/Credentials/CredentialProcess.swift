import Foundation
import HTTPClient
import ObjectStore
import S3Store
import Secrets
import Subprocess

/// A program of the user that prints keys as JSON. It runs without a shell and without our standard
/// input, with limits on its time and output.
struct CredentialProcess: Sendable {
  let command: Secret
  let source: String
  let timeout: Duration

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
        return try CredentialsDocument.read(output, source: source)
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

/// Makes text from elsewhere safe for an error message.
enum Redaction {
  /// One line of printable text of at most `limit` bytes, without any of `secrets` and without any
  /// word that is long and random enough to be one.
  static func words(_ text: String, hiding secrets: [Secret] = [], limit: Int = 400) -> String {
    var text = text
    for secret in secrets where secret.revealed.utf8.count >= 4 {
      text = text.split(separator: secret.revealed, omittingEmptySubsequences: false)
        .joined(separator: "<secret>")
    }
    let words = text.split { $0.isWhitespace || $0.isNewline }.map { word in
      let longest = word.split { !isKeyCharacter($0) }.map(\.utf8.count).max() ?? 0
      return longest >= 32 ? "<long word>" : String(word)
    }
    let line = words.joined(separator: " ").unicodeScalars.filter {
      $0.value >= 0x20 && $0.value != 0x7F && !(0x80...0x9F).contains($0.value)
    }
    var result = ""
    for scalar in line {
      guard result.utf8.count < limit else { return result + "..." }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// The characters of access keys, base64 and tokens.
  private static func isKeyCharacter(_ character: Character) -> Bool {
    character.isASCII
      && (character.isLetter || character.isNumber || "+/=_-".contains(character))
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

/// The JSON document that a credential process prints.
enum CredentialsDocument {
  static let maximumBytes = 64 << 10

  /// A member of another kind is none.
  private struct Member: Decodable {
    let text: String?
    let number: Double?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text = try? container.decode(String.self)
      number = try? container.decode(Double.self)
    }
  }

  static func read(_ bytes: [UInt8], source: String) throws(StoreError) -> ResolvedCredentials {
    guard bytes.count <= maximumBytes,
      let fields = try? JSONDecoder().decode([String: Member].self, from: Data(bytes))
    else {
      throw StoreError(
        .unavailable, "\(source) gave no JSON object of at most \(maximumBytes >> 10) KB")
    }
    guard fields["Version"]?.number == 1 else {
      throw StoreError(
        .unavailable, "\(source) gave a document whose Version is not 1",
        remedy: "let it print Version, AccessKeyId and SecretAccessKey")
    }
    guard let id = fields["AccessKeyId"]?.text,
      let secret = fields["SecretAccessKey"]?.text
    else {
      throw StoreError(.unavailable, "\(source) gave no AccessKeyId and SecretAccessKey")
    }
    var expiresAt: Int?
    if let text = fields["Expiration"]?.text {
      guard let seconds = CredentialsTime.seconds(text) else {
        throw StoreError(
          .unavailable, "\(source) gave an Expiration that is not a valid time")
      }
      expiresAt = seconds
    }
    return try ResolvedCredentials(
      checking: id, secret, fields["SessionToken"]?.text, source: source, expiresAt: expiresAt)
  }
}

/// Times as credential sources write them: ISO 8601 with `Z` or an offset.
enum CredentialsTime {
  static func seconds(_ text: String) -> Int? {
    if let seconds = ServerTime.iso8601(text) { return seconds }
    let zone = text.suffix(6)
    guard zone.count == 6, let sign = zone.first, sign == "+" || sign == "-",
      zone.dropFirst(3).first == ":",
      let hours = Int(zone.dropFirst().prefix(2)), let minutes = Int(zone.suffix(2)),
      (0...14).contains(hours), (0...59).contains(minutes),
      let local = ServerTime.iso8601(text.dropLast(6) + "Z")
    else { return nil }
    return local - (sign == "+" ? 1 : -1) * (hours * 3600 + minutes * 60)
  }
}
