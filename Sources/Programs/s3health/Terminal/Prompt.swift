import CommandLineKit
import Foundation
import HealthLedger

/// Asks for one line on stdin. It reads byte by byte, so that nothing of the next line is lost.
enum Prompt {
  /// The most bytes of a line.
  private static let maximumBytes = 8192

  /// The line, without its end and without blanks around it.
  ///
  /// - Parameters:
  ///   - words: shown on stderr if stdin is a terminal.
  ///   - content: what is asked for, for errors.
  ///   - remedy: how to give it, for errors.
  ///   - isSecret: whether a terminal must not show what is typed.
  static func line(
    _ words: String, for content: String, remedy: LedgerError.Remedy, isSecret: Bool = false
  ) throws(LedgerError) -> String {
    let isTerminal = isatty(STDIN_FILENO) == 1
    if isTerminal { _ = writeWhole(Array(words.utf8), to: STDERR_FILENO) }
    let isHidden = isTerminal && isSecret && hideTyping()
    defer { if isHidden { showTyping() } }
    guard let line = try read(content, remedy), !line.isEmpty else {
      throw LedgerError(
        .invalidArguments, "\(content) is missing: stdin has no such line",
        remedy: remedy)
    }
    return line
  }

  /// What a person answers on a terminal; the usual answer if the line is empty.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS at the end of stdin: there is nobody to ask again.
  static func answer(_ question: String, usual: String = "") throws(LedgerError) -> String {
    let hint = usual.isEmpty ? "" : " [\(usual)]"
    _ = writeWhole(Array("\(question)\(hint): ".printable.utf8), to: STDERR_FILENO)
    guard let answer = try read("the answer", "answer in one line") else {
      throw LedgerError(
        .invalidArguments, "the question was not answered; nothing was written",
        remedy: "run it again")
    }
    return answer.isEmpty ? usual : answer
  }

  /// Whether a person agrees.
  ///
  /// - Parameter usual: the answer if the line is empty: `yes` or `no`.
  static func agrees(_ question: String, usual: String = "yes") throws(LedgerError) -> Bool {
    let answer = try answer(question, usual: usual).lowercased()
    return answer == "y" || answer == "yes"
  }

  /// Whether a person can be asked.
  static var hasPerson: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// The next line; nil at the end of stdin.
  private static func read(
    _ content: String, _ remedy: LedgerError.Remedy
  ) throws(LedgerError) -> String? {
    var bytes: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      let count = Foundation.read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0, bytes.isEmpty { return nil }
      guard count > 0, byte != UInt8(ascii: "\n") else { break }
      bytes.append(byte)
      guard bytes.count <= maximumBytes else {
        throw LedgerError(
          .invalidArguments, "\(content) is longer than \(maximumBytes) bytes",
          remedy: remedy)
      }
    }
    return String(decoding: bytes, as: UTF8.self).trimmed
  }

  /// The terminal's state before typing was hidden. Only `hideTyping` writes it, before any signal
  /// handler may read it.
  private nonisolated(unsafe) static var shown = termios()

  /// Keeps the terminal from showing what is typed. False if it can't be kept from it.
  ///
  /// Ctrl-C ends the program as ever, but first the terminal shows again what is typed.
  private static func hideTyping() -> Bool {
    guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return false }
    signal(SIGINT) { _ in
      // Both calls are safe in a handler (POSIX).
      tcsetattr(STDIN_FILENO, TCSANOW, &Prompt.shown)
      signal(SIGINT, SIG_DFL)
      raise(SIGINT)
    }
    var hidden = shown
    hidden.c_lflag &= ~tcflag_t(ECHO)
    return tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0
  }

  private static func showTyping() {
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
    signal(SIGINT, SIG_DFL)
    // The person's Enter was not shown either.
    _ = writeWhole([UInt8(ascii: "\n")], to: STDERR_FILENO)
  }
}
