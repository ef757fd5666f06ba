package import Foundation
import Subprocess
import Synchronization

/// A server in Tests/Peers. The script prints one line of JSON when it listens, answers each order on its
/// stdin with a line, and ends when its stdin is closed: when the test process ends, or before.
package final class PeerServer: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private let script: String
  private let process = Process()
  private let greeting: Data
  private let streams: Mutex<(input: FileHandle, output: FileHandle)>

  package init(_ script: String, arguments: [String] = [], isQuiet: Bool = false) throws {
    self.script = script
    process.executableURL = URL(filePath: try PeerPython.interpreter())
    process.arguments =
      [ProjectTree.root.appending(path: "Tests/Peers/\(script)").path] + arguments
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    if isQuiet { process.standardError = FileHandle.nullDevice }
    try process.run()
    greeting = try Self.line(output.fileHandleForReading, of: script)
    // Kept open on purpose, and no child of another test gets it.
    let kept = fcntl(input.fileHandleForWriting.fileDescriptor, F_DUPFD_CLOEXEC, 0)
    streams = Mutex((FileHandle(fileDescriptor: kept), output.fileHandleForReading))
  }

  /// What it said of itself, such as its ports.
  package func said<Greeting: Decodable>(_: Greeting.Type) throws -> Greeting {
    try JSONDecoder().decode(Greeting.self, from: greeting)
  }

  /// Starts a script that ends with the test process, and reads what it says of itself.
  package static func start<Greeting: Decodable>(
    _ script: String, arguments: [String] = [], saying greeting: Greeting.Type
  ) throws -> Greeting {
    try PeerServer(script, arguments: arguments).said(greeting)
  }

  /// Gives it an order, and waits until it has done it.
  package func order(_ word: String) throws {
    try streams.withLock { streams in
      // Writing to a process that has ended would end this one.
      guard process.isRunning else { throw Failure(description: "\(script) has ended") }
      try streams.input.write(contentsOf: Data((word + "\n").utf8))
      let answer = String(decoding: try Self.line(streams.output, of: script), as: UTF8.self)
      guard answer == "done\n" else { throw Failure(description: "\(word): \(answer)") }
    }
  }

  package func end() { try? streams.withLock { try $0.input.close() } }

  private static func line(_ handle: FileHandle, of script: String) throws -> Data {
    var line = Data()
    while !line.contains(UInt8(ascii: "\n")) {
      let piece = handle.availableData
      guard !piece.isEmpty else { throw Failure(description: "\(script) has ended") }
      line += piece
    }
    return line
  }

  /// What a server answers, by curl.
  package static func get(_ url: String, _ arguments: [String] = []) async throws -> Data {
    let result = try await Subprocess.run(
      .name("curl"),
      arguments: .init(
        ["--silent", "--show-error", "--max-time", "60", "--noproxy", "*", url] + arguments),
      output: .bytes(limit: 64 << 20), error: .string(limit: 1 << 16))
    guard result.terminationStatus.isSuccess else {
      throw Failure(description: "\(url): \(result.standardError)")
    }
    return Data(result.standardOutput)
  }
}
