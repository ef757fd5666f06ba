import Foundation

/// The capabilities of the terminal behind a stream.
package struct Terminal {
  package let isTerminal: Bool
  package let usesColor: Bool
  /// Columns, at least 40.
  package let width: Int

  /// The terminal behind stdout, if there is one.
  package static func standardOutput(
    _ environment: @autoclosure () -> [String: String] = ProcessInfo.processInfo.environment
  ) -> Terminal {
    Terminal(descriptor: STDOUT_FILENO, environment)
  }

  /// The terminal behind stderr, if there is one.
  package static func standardError(
    _ environment: @autoclosure () -> [String: String] = ProcessInfo.processInfo.environment
  ) -> Terminal {
    Terminal(descriptor: STDERR_FILENO, environment)
  }

  /// The terminal behind stderr for showing progress, if progress is to be shown.
  package static func progress() -> Terminal {
    let terminal = standardError()
    return Terminal(
      isTerminal: terminal.isTerminal && Diagnostics.showsProgress, usesColor: terminal.usesColor,
      width: terminal.width)
  }

  /// Rows of the terminal behind stdout; nil if there is none.
  package static var standardOutputHeight: Int? {
    var size = winsize()
    let known = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0
    return known ? Int(size.ws_row) : nil
  }

  /// The environment is read only for a terminal: reading it takes longer than all the rest.
  private init(descriptor: Int32, _ environment: () -> [String: String]) {
    let variables = isatty(descriptor) == 1 ? environment() : ["TERM": "dumb"]
    isTerminal = variables["TERM"] != "dumb"
    usesColor = isTerminal && variables["NO_COLOR", default: ""].isEmpty
    var size = winsize()
    let known = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    width = max(40, known ? Int(size.ws_col) : 80)
  }

  package init(isTerminal: Bool, usesColor: Bool, width: Int) {
    (self.isTerminal, self.usesColor, self.width) = (isTerminal, usesColor, width)
  }

  /// Lines, of which those of prose are broken between words if this is a terminal that they do not fit.
  package func wrapped(_ lines: String) -> String {
    isTerminal ? lines.wrapped(to: width) : lines
  }

  /// A colour by its meaning.
  package enum Style: String {
    case good = "32"
    case bad = "31"
    case doubtful = "33"
    case faint = "2"
    case strong = "1"
  }

  /// `text` in a style, or unchanged if colours are not wanted.
  package func styled(_ text: String, _ style: Style) -> String {
    usesColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
