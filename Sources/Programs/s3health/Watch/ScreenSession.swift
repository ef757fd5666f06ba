import CommandLineKit
import Foundation
import Synchronization

/// The terminal while a view fills it: another screen, no cursor, no echo of what is typed, which is
/// read key by key. However the view ends, the terminal is as it was.
final class ScreenSession: Sendable {
  private struct State {
    var isOpen = false
    var settings: termios?
  }

  private let state = Mutex(State())

  private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
  private static let leave = "\u{1B}[?25h\u{1B}[?1049l"

  func open() {
    state.withLock { state in
      state.isOpen = true
      var settings = termios()
      guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
      state.settings = settings
      settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
    _ = writeWhole(Array(Self.enter.utf8), to: STDOUT_FILENO)
  }

  /// Gives the terminal back. Called again, it does nothing.
  func close() {
    let (wasOpen, settings) = state.withLock { state in
      defer { state.isOpen = false }
      return (state.isOpen, state.settings)
    }
    guard wasOpen else { return }
    _ = writeWhole(Array(Self.leave.utf8), to: STDOUT_FILENO)
    // What was typed meanwhile was meant for nobody.
    if var settings { tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) }
  }

  /// Waits until somebody types a key; false if nobody can.
  static func isTyped(_ key: UInt8) -> Bool {
    guard isatty(STDIN_FILENO) == 1 else { return false }
    var typed: UInt8 = 0
    while read(STDIN_FILENO, &typed, 1) == 1 {
      if typed == key { return true }
    }
    return false
  }

  /// Shows lines, each from the left edge. Only what changes flickers on no terminal, so all is
  /// written at once.
  func draw(_ lines: [String]) {
    guard state.withLock(\.isOpen) else { return }
    // A terminal that knows synchronised output shows the whole frame at once.
    var text = "\u{1B}[?2026h\u{1B}[H"
    text += lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
    text += "\u{1B}[J\u{1B}[?2026l"
    if writeWhole(Array(text.utf8), to: STDOUT_FILENO) == EPIPE { endBySignal(SIGPIPE) }
  }
}
