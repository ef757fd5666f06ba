import Logging
import Synchronization

/// What the run says on stderr besides its errors: warnings, requests with `--verbose`, remarks,
/// and progress on a terminal.
enum Diagnostics {
  private static let quiet = Atomic(false)
  private static let progress = Atomic(true)

  /// True where nothing but errors is wanted on stderr.
  static var isQuiet: Bool { quiet.load(ordering: .relaxed) }

  /// False where no line is to say how far a command is.
  static var showsProgress: Bool { progress.load(ordering: .relaxed) }

  /// Begins logging; call once, before a store is opened.
  static func start(isQuiet: Bool, isVerbose: Bool, showsProgress: Bool) {
    quiet.store(isQuiet, ordering: .relaxed)
    progress.store(!isQuiet && showsProgress, ordering: .relaxed)
    let level: Logger.Level = isVerbose ? .trace : isQuiet ? .error : .warning
    LoggingSystem.bootstrap { PrintableLogHandler(label: $0, level: level) }
  }
}
