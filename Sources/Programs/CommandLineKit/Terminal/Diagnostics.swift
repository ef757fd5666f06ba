package import Logging
import Synchronization

/// What a run prints on stderr in addition to errors: warnings, requests with `--verbose`, remarks,
/// and progress on a terminal.
package enum Diagnostics {
  private static let quiet = Atomic(false)
  private static let progress = Atomic(true)
  private static let verbose = Atomic(false)

  /// True if only errors are wanted on stderr, and from some commands no results while all is well.
  package static var isQuiet: Bool { quiet.load(ordering: .relaxed) }

  /// True if all that there is to say is wanted.
  package static var isVerbose: Bool { verbose.load(ordering: .relaxed) }

  /// False if no progress is to be shown.
  package static var showsProgress: Bool { progress.load(ordering: .relaxed) }

  /// Starts logging. Call it once, before opening a store.
  package static func start(isQuiet: Bool, isVerbose: Bool, showsProgress: Bool) {
    quiet.store(isQuiet, ordering: .relaxed)
    verbose.store(isVerbose, ordering: .relaxed)
    progress.store(!isQuiet && showsProgress, ordering: .relaxed)
    let level: Logger.Level = isVerbose ? .trace : isQuiet ? .error : .warning
    LoggingSystem.bootstrap { PrintableLogHandler(label: $0, level: level) }
  }
}

/// Logs to stderr with control characters escaped, because logs may quote paths, keys and text from
/// servers.
package struct PrintableLogHandler: LogHandler {
  private var base: StreamLogHandler

  package init(label: String, level: Logger.Level) {
    base = .standardError(label: label)
    base.logLevel = level
  }

  package var logLevel: Logger.Level {
    get { base.logLevel }
    set { base.logLevel = newValue }
  }

  package var metadata: Logger.Metadata {
    get { base.metadata }
    set { base.metadata = newValue.mapValues(\.printable) }
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { base[metadataKey: key] }
    set { base[metadataKey: key] = newValue?.printable }
  }

  package func log(event: Logging.LogEvent) {
    var shown = event
    shown.message = "\(event.message.description.printable)"
    shown.metadata = event.metadata?.mapValues(\.printable)
    base.log(event: shown)
  }
}

extension Logger.MetadataValue {
  /// The same, with its text escaped, as one string.
  fileprivate var printable: Self { .string(description.printable) }
}
