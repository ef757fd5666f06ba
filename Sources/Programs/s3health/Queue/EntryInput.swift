import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import HealthStreams

/// Reads entries from a file or stdin, piece by piece and in bounded memory (R44).
///
/// The input is one JSON object, an array of objects, or one object per line.
struct EntryInput {
  /// What was read since the last piece.
  struct Piece {
    var entries: [StreamEntry] = []
    /// Why the input is not read further.
    var fault: LedgerError?
  }

  /// The largest array or object that spans lines.
  static let maximumDocumentBytes = 64 << 20
  /// The longest line: an entry, with blanks and escapes that its canonical form does not have.
  static let maximumLineBytes = 2 * StreamEntry.maximumBytes

  /// Whether it is a file that can be read as a whole, and not a pipe.
  let isFile: Bool
  private let descriptor: Int32
  private let name: String
  private let stream: StreamName
  /// What was read and is not parsed yet.
  private var rest: [UInt8] = []
  private var hasEnded = false
  /// Whether the first bytes were looked at.
  private var hasBegun = false
  private var count = 0

  init(_ path: String, of stream: StreamName) throws(LedgerError) {
    self.stream = stream
    name = path == "-" ? "stdin" : path
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw LedgerError(
        .invalidArguments, "\(path) can't be read: \(String(cString: strerror(errno)))",
        remedy: "check --input; `-` is stdin")
    }
    var status = stat()
    isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The next piece; nil at the end.
  mutating func next() -> Piece? {
    do throws(LedgerError) {
      while !hasEnded {
        try fill()
        guard hasBegun || begin() else { continue }
        guard let first = rest.first(where: { !Self.isBlank($0) }) else {
          rest.removeAll(keepingCapacity: true)
          continue
        }
        if count == 0, first == UInt8(ascii: "[") { return try array() }
        if let piece = try lines() { return piece }
      }
      return nil
    } catch {
      hasEnded = true
      return Piece(fault: error)
    }
  }

  /// Skips the mark of its encoding, with which editors of Windows begin a file.
  ///
  /// - Returns: false if too little has come to know.
  private mutating func begin() -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    guard hasEnded || rest.count >= mark.count else { return false }
    if rest.starts(with: mark) { rest.removeFirst(mark.count) }
    hasBegun = true
    return true
  }

  // MARK: - Forms

  /// A whole array: if one entry is refused, none is queued.
  private mutating func array() throws(LedgerError) -> Piece {
    guard let elements = try document().arrayValue else {
      throw LedgerError(.invalidArguments, "\(name) is not a JSON array", rule: "R44")
    }
    var entries: [StreamEntry] = []
    entries.reserveCapacity(elements.count)
    for element in elements { entries.append(try entry(element)) }
    return Piece(entries: entries)
  }

  /// The whole lines that have been read; nil if there are none yet.
  private mutating func lines() throws(LedgerError) -> Piece? {
    var piece = Piece()
    var start = rest.startIndex
    while start < rest.endIndex {
      let end = rest[start...].firstIndex(of: UInt8(ascii: "\n"))
      guard end != nil || hasEnded else { break }
      let line = rest[start..<(end ?? rest.endIndex)]
      if !line.allSatisfy(Self.isBlank) {
        do throws(LedgerError) {
          if let entry = try self.entry(line: Array(line)) {
            piece.entries.append(entry)
          } else {
            // The first line begins an object that spans lines.
            return Piece(entries: [try entry(try document())])
          }
        } catch {
          hasEnded = true
          piece.fault = error
          return piece
        }
      }
      start = end.map { $0 + 1 } ?? rest.endIndex
    }
    rest.removeSubrange(..<start)
    guard rest.count <= Self.maximumLineBytes else {
      hasEnded = true
      piece.fault = fault(
        "the line has more than \(Self.maximumLineBytes >> 20) MiB, and an entry at most 4 MiB")
      return piece
    }
    return piece.entries.isEmpty ? nil : piece
  }

  /// The entry of one line; nil if it is the first line and not JSON by itself.
  private mutating func entry(line: [UInt8]) throws(LedgerError) -> StreamEntry? {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: line)
    } catch {
      if count == 0, error.kind == .syntax { return nil }
      throw fault("the line is not JSON: \(error)")
    }
    return try entry(value)
  }

  private mutating func entry(_ value: JSONValue) throws(LedgerError) -> StreamEntry {
    do throws(RequestFault) {
      let entry = try StreamEntry(value, of: stream)
      count += 1
      return entry
    } catch {
      throw fault((error.pointer.isEmpty ? "" : "\(error.pointer): ") + error.message)
    }
  }

  /// All of the input, as one JSON text.
  private mutating func document() throws(LedgerError) -> JSONValue {
    while !hasEnded {
      try fill()
      guard rest.count <= Self.maximumDocumentBytes else {
        throw LedgerError(
          .invalidArguments,
          "\(name) is one JSON text of more than \(Self.maximumDocumentBytes >> 20) MiB",
          rule: "R44", remedy: "write one object per line; then the input may have any length")
      }
    }
    do throws(JSONError) {
      return try JSONValue(parsing: rest)
    } catch {
      throw fault("the input is not JSON: \(error)")
    }
  }

  /// What is wrong with the entry that would be the next.
  private func fault(_ message: String) -> LedgerError {
    LedgerError(
      .invalidArguments, "\(name), entry \((count + 1).grouped): \(message)", rule: "R44",
      remedy: "correct the entry, or leave it out")
  }

  // MARK: - Bytes

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Reads what is there, at most a megabyte.
  private mutating func fill() throws(LedgerError) {
    let room = 1 << 20
    while true {
      var failure: Int32 = 0
      let added = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        let read = Foundation.read(descriptor, buffer.baseAddress, room)
        failure = read < 0 ? errno : 0
        count = max(0, read)
      }
      if failure == EINTR { continue }
      guard failure == 0 else {
        throw LedgerError(
          .invalidArguments, "\(name) can't be read: \(String(cString: strerror(failure)))",
          remedy: "check --input, or the command before the pipe")
      }
      if added.isEmpty { hasEnded = true }
      rest += added
      return
    }
  }
}
