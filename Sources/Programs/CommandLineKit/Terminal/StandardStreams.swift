import Foundation
package import HealthLedger
package import HealthModel

/// Results go to stdout, completely or with an error. Messages about the run go to stderr.
package enum StandardStreams {
  /// Opens placeholders for standard streams that the parent process has closed. Call it first.
  ///
  /// Otherwise the next file that is opened would get the number of a closed stream: results would
  /// be written to it, and reading stdin to its end would close it for its user.
  package static func fillGaps() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
      // `open` takes the lowest free number, which is the stream's. The direction is wrong on
      // purpose, so that reading or writing the stream still fails.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes all of `bytes` to stdout. A full disk or a closed pipe is an error and never ignored.
  ///
  /// A terminal, which would obey control characters, gets them spelled out; a file or a pipe gets
  /// the bytes as they are.
  package static func write(_ bytes: [UInt8]) throws(LedgerError) {
    try write(isatty(STDOUT_FILENO) == 1 ? bytes.printableLines : bytes, to: STDOUT_FILENO)
  }

  /// Writes a line of text to stdout, with its colours. What it quotes is printable already.
  package static func writeLine(_ line: String) throws(LedgerError) {
    try write(Array((line + "\n").utf8), to: STDOUT_FILENO)
  }

  /// Writes one JSON document, in canonical form, and a newline to stdout.
  package static func write(_ document: JSONValue) throws(LedgerError) {
    try write(document.canonicalBytes + [UInt8(ascii: "\n")])
  }

  /// Writes lines to stderr: their commands with the options that were given, control characters escaped, and
  /// broken between words where a terminal shows them. If this fails, there is nowhere to report it.
  package static func note(_ lines: String) {
    let shown = Terminal.standardError().wrapped(lines.withGivenOptions.printableLines)
    try? write(Array((shown + "\n").utf8), to: STDERR_FILENO)
  }

  /// Prints an error on stderr. No option silences it.
  package static func say(_ error: LedgerError) { note(error.report) }

  /// Prints a remark that is not an error on stderr. `--quiet` silences it.
  package static func remark(_ line: String) {
    if !Diagnostics.isQuiet { note(line.printable) }
  }

  /// Prints remarks on an input: one that holds for many days once, the first few, and how many more
  /// there are. With `--verbose` all.
  package static func remark(notes: [String], allIn place: String? = "--output json") {
    remark(notes: notes.map { DayNote($0) }, allIn: place)
  }

  /// Prints remarks on days: one that holds for many days once, the first few, and how many more there
  /// are.
  ///
  /// - Parameter place: what has all of them, such as `--output json`; nil if nothing has.
  package static func remark(notes: [DayNote], allIn place: String?) {
    let lines =
      Diagnostics.isVerbose ? DayNotes(notes).all : DayNotes(notes).lines(allIn: place)
    for line in lines { remark("note: \(line)") }
  }

  /// Tells the user at a terminal why a request takes so long. In a pipe, `--verbose` shows each send.
  package static func tellWait(_ reason: String) {
    guard Terminal.progress().isTerminal else { return }
    overwrite("")
    remark(reason)
  }

  /// Replaces the terminal's current line on stderr.
  package static func overwrite(_ line: String) {
    try? write(Array("\r\u{1B}[K\(line)".utf8), to: STDERR_FILENO)
  }

  /// Nobody reads the output any more, as with `| head`. Ends without a message, as other programs
  /// do.
  private static func endByBrokenPipe() -> Never {
    endBySignal(SIGPIPE)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(LedgerError) {
    guard let failure = writeWhole(bytes, to: descriptor) else { return }
    if failure == EPIPE, descriptor == STDOUT_FILENO { endByBrokenPipe() }
    let isStorage = [ENOSPC, EDQUOT, EFBIG, EIO, EROFS].contains(failure)
    throw LedgerError(
      isStorage ? .storageUnavailable : .internal,
      "the results can't be written: \(String(cString: strerror(failure)))",
      remedy: "check the pipe or file that stdout goes to")
  }
}

/// Writes all of `bytes` to a descriptor, in as many calls as necessary.
///
/// - Returns: nil once the kernel has everything, otherwise the number of the error.
package func writeWhole(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 {
      rest = rest.dropFirst(count)
    } else if errno != EINTR {
      return errno
    }
  }
  return nil
}
