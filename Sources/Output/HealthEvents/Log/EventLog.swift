import Foundation
package import ObjectStore

/// The log of what the program did: lines of JSON in a file that only its owner can read.
///
/// Bounded: when the file is full, it becomes the older of two, and the one before is deleted. Any
/// number of processes may append. A line is written whole or, after a crash, recognisably cut.
package struct EventLog: Sendable {
  /// The newer file. The older one has `.1` before its extension.
  package let path: String
  /// The most bytes of each of the two files.
  let maximumBytes: Int

  /// The log in a folder, which is created with the first event.
  package init(folder: String, maximumBytes: Int = 1_048_576) {
    path = folder + "/events.jsonl"
    self.maximumBytes = maximumBytes
  }

  var olderPath: String { path.dropLast(".jsonl".count) + ".1.jsonl" }

  /// The longest line that is written or read.
  static let maximumLine = 8192

  /// Appends an event.
  ///
  /// - Throws: `SystemFailure`. The caller goes on: a log that can't be written stops nothing, but
  ///   is worth a word.
  package func append(_ event: LogEvent) throws(SystemFailure) {
    var line = event.document.canonicalBytes
    if line.count >= Self.maximumLine {
      line = LogEvent(cut: event).document.canonicalBytes
    }
    let file = try openLocked(room: line.count + 2)
    defer { file.release() }
    // A process that was killed in the middle of a line must not spoil this one.
    if !endsWithNewline(file.number) { line.insert(UInt8(ascii: "\n"), at: 0) }
    line.append(UInt8(ascii: "\n"))
    let written = line.withUnsafeBytes { write(file.number, $0.baseAddress, $0.count) }
    guard written == line.count else { throw SystemFailure(ofWriting: written) }
  }

  /// The file, locked, with room for so many bytes.
  private func openLocked(room: Int) throws(SystemFailure) -> LockFile {
    makeFolder(of: path)
    while true {
      let file = try LockFile(path, appends: true)
      try file.wait()
      // While this process waited for the lock, another may have moved the file away.
      guard try file.isStill(path) else { continue }
      var held = stat()
      guard fstat(file.number, &held) == 0 else { throw SystemFailure() }
      guard Int(held.st_size) + room > maximumBytes, held.st_size > 0 else { return file }
      guard rename(path, olderPath) == 0 else { throw SystemFailure() }
    }
  }

  private func endsWithNewline(_ descriptor: Int32) -> Bool {
    var found = stat()
    guard fstat(descriptor, &found) == 0, found.st_size > 0 else { return true }
    var last: UInt8 = 0
    return pread(descriptor, &last, 1, found.st_size - 1) == 1 && last == UInt8(ascii: "\n")
  }
}

extension LogEvent {
  /// The event without its details, which are too long for a line.
  fileprivate init(cut event: LogEvent) {
    timestamp = event.timestamp
    type = event.type
    message = String(event.message.prefix(500))
    details = ["details_cut": .bool(true)]
  }
}

extension SystemFailure {
  /// A write that did not write all: -1 with the system's reason, or what a full disk had room for.
  init(ofWriting count: Int) { self = count < 0 ? SystemFailure() : SystemFailure(ENOSPC) }
}

/// Creates the private folder of a file that processes share. If it can't be, opening the file says
/// so.
func makeFolder(of path: String) {
  try? PrivateFolder.create(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
}
