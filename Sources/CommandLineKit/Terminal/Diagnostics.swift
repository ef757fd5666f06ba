import Logging
import Synchronization

/// What a run prints on stderr in addition to errors: warnings, requests with `--verbose`, remarks,
/// and progress on a terminal.
package enum Diagnostics {
  private static let quiet = Atomic(false)
  private static let progress = Atomic(true)

  /// True if only errors are wanted on stderr.
  package static var isQuiet: Bool { quiet.load(ordering: .relaxed) }

  /// False if no progress is to be shown.
  package static var showsProgress: Bool { progress.load(ordering: .relaxed) }

  /// Starts logging. Call it once, before opening a store.
  package static func start(isQuiet: Bool, isVerbose: Bool, showsProgress: Bool) {
    quiet.store(isQuiet, ordering: .relaxed)
    progress.store(!isQuiet && showsProgress, ordering: .relaxed)
    let level: Logger.Level = isVerbose ? .trace : isQuiet ? .error : .warning
    LoggingSystem.bootstrap { PrintableLogHandler(label: $0, level: level) }
  }
}
