import Foundation
import HealthLedger

/// Reads a whole input file or stdin, up to a size limit.
package enum InputFile {
  /// The bytes of `path`, or of stdin for `-`, following `first`, which was already read.
  package static func read(
    _ path: String, first: [UInt8] = [], maximumBytes: Int
  ) throws(IntakeError) -> [UInt8] {
    let handle = try open(path)
    defer { try? handle.close() }
    var bytes = first
    while true {
      let chunk = try next(of: handle, named: path)
      if chunk.isEmpty { return bytes }
      bytes += chunk
      guard bytes.count <= maximumBytes else {
        throw IntakeError(
          .invalidArguments, "the input \(named(path)) is larger than \(maximumBytes >> 20) MB",
          remedy: "export fewer days, or aggregate by day")
      }
    }
  }

  /// Reads `path`, or stdin for `-`, line by line without the newlines, in bounded memory.
  ///
  /// A line longer than `maximumBytes` is passed on truncated after one more byte.
  package static func forEachLine(
    of path: String, maximumBytes: Int, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    let handle = try open(path)
    defer { try? handle.close() }
    var rest: [UInt8] = []
    while true {
      let chunk = try next(of: handle, named: path)
      if chunk.isEmpty { break }
      var start = chunk.startIndex
      while let end = chunk[start...].firstIndex(of: UInt8(ascii: "\n")) {
        rest += chunk[start..<end].prefix(max(0, maximumBytes + 1 - rest.count))
        try body(rest[...])
        rest.removeAll(keepingCapacity: true)
        start = end + 1
      }
      rest += chunk[start...].prefix(max(0, maximumBytes + 1 - rest.count))
    }
    if !rest.isEmpty { try body(rest[...]) }
  }

  /// The next bytes, at most a megabyte; empty at the end.
  private static func next(
    of handle: FileHandle, named path: String
  ) throws(IntakeError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = Foundation.read(handle.fileDescriptor, &buffer, buffer.count)
      if count >= 0 { return Array(buffer[..<count]) }
      if errno != EINTR {
        throw IntakeError(
          .invalidArguments,
          "the input \(named(path)) can't be read: \(String(cString: strerror(errno)))",
          remedy: path == "-" ? "check the command before the pipe" : "check the file")
      }
    }
  }

  private static func named(_ path: String) -> String { path == "-" ? "on stdin" : path }

  /// Whether a path is that of a folder.
  package static func isFolder(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }

  private static func open(_ path: String) throws(IntakeError) -> FileHandle {
    if path == "-" { return .standardInput }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw IntakeError(
        .invalidArguments, "there is no file \(path)", advice: .checkInputPath)
    }
    guard !isDirectory.boolValue else {
      throw IntakeError(
        .invalidArguments, "\(path) is a folder", remedy: "name one file, or `-` for stdin")
    }
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw IntakeError(
        .invalidArguments, "\(path) can't be opened", remedy: "check the file's permissions")
    }
    return handle
  }
}
