import Foundation

/// A server in Tests/Peers that a test run starts once and that ends with the test process.
///
/// The script prints one line of JSON when it listens, and ends when its stdin is closed.
package enum PeerServer {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Starts a script and reads what it says of itself, such as its ports.
  package static func start<Greeting: Decodable>(
    _ script: String, arguments: [String] = [], saying greeting: Greeting.Type
  ) throws -> Greeting {
    let process = Process()
    process.executableURL = URL(filePath: try PeerPython.interpreter())
    let path = ProjectTree.root.appending(path: "Tests/Peers/\(script)").path
    process.arguments = [path] + arguments
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    var line = Data()
    while !line.contains(UInt8(ascii: "\n")) {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else {
        throw Failure(description: "\(script) ended before it listened")
      }
      line += piece
    }
    // Kept open until this process ends, on purpose: closing it would end the server.
    _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_DUPFD_CLOEXEC, 0)
    return try JSONDecoder().decode(greeting, from: line)
  }
}
