package import Logging

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

  package func log(event: LogEvent) {
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
