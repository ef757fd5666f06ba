import Logging

/// The run's log: warnings to stderr, requests too with `--verbose`.
enum Diagnostics {
  /// Begins logging; call once, before a store is opened.
  static func start(verbose: Bool) {
    LoggingSystem.bootstrap { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = verbose ? .trace : .warning
      return handler
    }
  }
}
