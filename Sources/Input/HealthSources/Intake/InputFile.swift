import AppleExport
import Foundation
package import HealthLedger
package import HealthModel
import ObjectStore

/// Reads a whole input file or stdin, up to a size limit.
package enum InputFile {
  /// The bytes of `path`, or of stdin for `-`, following `first`, which was already read. A pipe can be
  /// read only once.
  package static func read(
    _ path: String, first: [UInt8] = [], maximumBytes: Int
  ) throws(LedgerError) -> [UInt8] {
    let input = try open(path)
    var bytes = first
    while true {
      let chunk = try next(of: input)
      if chunk.isEmpty { return bytes }
      bytes += chunk
      guard bytes.count <= maximumBytes else {
        throw LedgerError(
          .invalidArguments, "the input \(named(path)) is larger than \(maximumBytes >> 20) MB",
          remedy: size(of: path) == nil
            ? "save it in a file, and name that" : "export fewer days, or aggregate by day")
      }
    }
  }

  /// Reads `path`, or stdin for `-`, line by line without the newlines, in bounded memory.
  ///
  /// A line longer than `maximumBytes` is passed on truncated after one more byte.
  package static func forEachLine(
    of path: String, maximumBytes: Int, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    let input = try open(path)
    var rest: [UInt8] = []
    while true {
      let chunk = try next(of: input)
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

  /// The next bytes: a small file as a whole, up to a megabyte of a large one, and of a pipe what it holds;
  /// empty at the end.
  private static func next(of input: OpenFile) throws(LedgerError) -> [UInt8] {
    do {
      return try input.read(input.size.map { min(max(Int($0), 4096), 1 << 20) } ?? 64 << 10)
    } catch {
      throw unreadable(input.path, error)
    }
  }

  private static func named(_ path: String) -> String { path == "-" ? "on stdin" : path }

  /// The size of a regular file; nil for anything else.
  static func size(of path: String) -> Int? {
    var status = stat()
    guard path != "-", unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(status.st_size)
  }

  /// Whether a path is that of a pipe, a socket or a device: to open one could wait for ever.
  static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// The error for a file that is not there, or of which a cloud drive has kept a placeholder alone.
  static func missing(_ path: String, remedy: LedgerError.Remedy) -> LedgerError {
    let url = URL(filePath: path)
    let placeholder = url.deletingLastPathComponent()
      .appending(path: Placeholder.name(of: url.lastPathComponent))
    guard FileManager.default.fileExists(atPath: placeholder.path) else {
      return LedgerError(.invalidArguments, "\(path) does not exist", remedy: remedy)
    }
    return LedgerError(
      .invalidArguments, "\(path) is not downloaded yet",
      remedy: "have the cloud drive download it (Finder: Download Now)")
  }

  /// When a regular file was last written; nil for anything else.
  package static func writtenAt(_ path: String) -> Timestamp? {
    var status = stat()
    guard path != "-", unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    #if canImport(Darwin)
      return Timestamp(secondsSince1970: status.st_mtimespec.tv_sec)
    #else
      return Timestamp(secondsSince1970: status.st_mtim.tv_sec)
    #endif
  }

  /// The bytes of a regular file, read where they are asked for.
  static func parts(of path: String) throws(LedgerError) -> PayloadBytes {
    let file = try open(path)
    return PayloadBytes { (offset, most) throws(SourceError) in
      do throws(ExportError) {
        return try file.read(most, at: Int64(offset))
      } catch {
        throw SourceError(.invalid, unreadable(path, error).message, remedy: "check the file")
      }
    }
  }

  private static func unreadable(_ path: String, _ error: ExportError) -> LedgerError {
    LedgerError(
      .invalidArguments, "the input \(named(path)) can't be read: \(error.message)",
      remedy: path == "-" ? "check the command before the pipe" : "check the file")
  }

  package static func isFolder(_ path: String) -> Bool {
    FolderFiles.isFolder(path)
  }

  private static func open(_ path: String) throws(LedgerError) -> OpenFile {
    if path == "-" {
      do {
        return try OpenFile(descriptor: STDIN_FILENO, path: path, isOwned: false)
      } catch {
        throw unreadable(path, error)
      }
    }
    guard FileManager.default.fileExists(atPath: path) else {
      throw missing(path, remedy: .input(.checkInputPath))
    }
    guard !isFolder(path) else {
      throw LedgerError(
        .invalidArguments, "\(path) is a folder", remedy: "name one file, or `-` for stdin")
    }
    do {
      return try OpenFile.open(path, waiting: true)
    } catch {
      throw LedgerError(
        .invalidArguments, "\(path) can't be opened", remedy: "check the file's permissions")
    }
  }
}

/// The beginning of stdin, read before it is known who will read the rest.
struct InputHead {
  /// The first bytes, up to the first one that is not a blank.
  let head: [UInt8]
  /// True for a pipe, which can't be read again. A file is rewound.
  let isTaken: Bool

  /// The bytes that must be passed to the reader of stdin.
  var first: [UInt8] { isTaken ? head : [] }

  /// Reads the beginning of stdin.
  init() throws(LedgerError) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    // A byte-order mark is not a blank, but the byte after it decides.
    while !bytes.contains(where: { $0 > 0x20 && $0 < 0x80 }), bytes.count < Self.longestHead {
      let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
      if count == 0 { break }
      if count > 0 {
        bytes += buffer[..<count]
      } else if errno != EINTR {
        throw LedgerError(
          .invalidArguments, unsafe "stdin can't be read: \(String(cString: strerror(errno)))",
          remedy: "check the command before the pipe")
      }
    }
    head = bytes
    // Darwin allows seeking on a terminal, although the typed input is lost.
    var status = stat()
    let isFile = unsafe fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    isTaken = !isFile || lseek(STDIN_FILENO, -off_t(bytes.count), SEEK_CUR) < 0
  }

  private static let longestHead = 1 << 16
}
