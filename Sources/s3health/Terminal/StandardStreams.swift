import Foundation
import HealthLedger
import HealthModel

/// Results go to stdout, whole or with an error; words about the run go to stderr.
enum StandardStreams {
  /// Takes the places of streams that whoever started the program has closed; call it first.
  ///
  /// Else the next file opened would get a closed stream's number: results would go into it, and
  /// reading stdin to its end would close it under whoever uses it.
  static func fillGaps() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
      // The lowest free number is taken, so that of the stream. The wrong way round, so that
      // reading or writing it fails, as it would have.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes all of `bytes` to stdout; a full disk or closed pipe is an error, not a silence.
  static func write(_ bytes: [UInt8]) throws(LedgerError) {
    try write(bytes, to: STDOUT_FILENO)
  }

  /// Writes a line of text to stdout.
  static func writeLine(_ line: String) throws(LedgerError) {
    try write(Array((line + "\n").utf8))
  }

  /// Writes one JSON document, in canonical form, and a newline to stdout.
  static func write(_ document: JSONValue) throws(LedgerError) {
    try write(document.canonicalBytes + [UInt8(ascii: "\n")])
  }

  /// Writes lines to stderr, as characters that a terminal shows and does not obey; there is nowhere
  /// to report a failure to.
  static func note(_ lines: String) {
    try? write(Array((lines.printableLines + "\n").utf8), to: STDERR_FILENO)
  }

  /// Says an error on stderr, which no option silences.
  static func say(_ error: LedgerError) { note(error.report) }

  /// Says on stderr what is worth knowing and no error; `--quiet` silences it.
  static func remark(_ line: String) {
    if !Diagnostics.isQuiet { note(line.printable) }
  }

  /// Says remarks on an input: the first few, and how many more there are.
  static func remark(notes: [String]) {
    let shown = 10
    for note in notes.prefix(shown) { remark("note: \(note)") }
    if notes.count > shown {
      remark("note: and \((notes.count - shown).grouped) more; --output json has all")
    }
  }

  /// Replaces the terminal's current line on stderr.
  static func overwrite(_ line: String) {
    try? write(Array("\r\u{1B}[K\(line)".utf8), to: STDERR_FILENO)
  }

  /// Nobody reads on, as with `| head`: ends without a word, as programs do.
  private static func endByBrokenPipe() -> Never {
    endBySignal(SIGPIPE)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(LedgerError) {
    guard let failure = writeWhole(bytes, to: descriptor) else { return }
    if failure == EPIPE, descriptor == STDOUT_FILENO { endByBrokenPipe() }
    throw LedgerError(
      .internal, "the results can't be written: \(String(cString: strerror(failure)))",
      remedy: "check where the output goes")
  }
}

/// Writes all of `bytes` to a descriptor, in as many calls as that takes.
///
/// - Returns: nil once all is with the kernel, else the number of the error that kept the rest.
func writeWhole(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
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
