import Foundation
import HealthLedger

/// Reads an input file or stdin, whole and bounded.
enum InputFile {
  /// The bytes of `path`, or of stdin for `-`, after `first`, which were read already.
  static func read(
    _ path: String, first: [UInt8] = [], maximumBytes: Int
  ) throws(LedgerError) -> [UInt8] {
    let handle = try open(path)
    defer { try? handle.close() }
    var bytes = first
    do {
      while let chunk = try handle.read(upToCount: 1 << 20), !chunk.isEmpty {
        bytes += chunk
        guard bytes.count <= maximumBytes else {
          throw LedgerError(
            .invalidArguments,
            "the input \(path == "-" ? "on stdin" : path) has more than \(maximumBytes >> 20) MB",
            remedy: "export fewer days, or aggregate by day")
        }
      }
    } catch let error as LedgerError {
      throw error
    } catch {
      throw LedgerError(
        .invalidArguments, "the input \(path) can't be read: \(error.localizedDescription)",
        remedy: "check the file")
    }
    return bytes
  }

  /// Reads `path`, or stdin for `-`, line by line, without the newlines; in bounded memory.
  ///
  /// A line longer than `maximumBytes` is passed on cut after one byte more.
  static func forEachLine(
    of path: String, maximumBytes: Int, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    let handle = try open(path)
    defer { try? handle.close() }
    var rest: [UInt8] = []
    while true {
      let chunk: Data?
      do {
        chunk = try handle.read(upToCount: 1 << 20)
      } catch {
        throw LedgerError(
          .invalidArguments, "the input \(path) can't be read: \(error.localizedDescription)",
          remedy: "check the file")
      }
      guard let chunk, !chunk.isEmpty else { break }
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

  /// Whether a path leads to a folder.
  static func isFolder(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }

  private static func open(_ path: String) throws(LedgerError) -> FileHandle {
    if path == "-" { return .standardInput }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw LedgerError(
        .invalidArguments, "there is no file \(path)", remedy: "check --input; `-` is stdin")
    }
    guard !isDirectory.boolValue else {
      throw LedgerError(
        .invalidArguments, "\(path) is a folder", remedy: "name one file, or `-` for stdin")
    }
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw LedgerError(
        .invalidArguments, "\(path) can't be opened", remedy: "check the file's permissions")
    }
    return handle
  }
}
