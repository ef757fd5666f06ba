import HealthEvents
public import HealthModel

/// One line of the log, as the viewer shows it.
public struct LogLine: Hashable, Sendable {
  /// When.
  public let timestamp: Timestamp
  /// What kind of event, such as `sync_failed`.
  public let type: String
  /// What happened, without a secret.
  public let message: String
  /// The stream, where it is of one.
  public let stream: String?

  init(_ event: LogEvent) {
    (timestamp, type, message) = (event.timestamp, event.type, event.message)
    stream = event.details["stream"]?.stringValue
  }

  /// Whether it is of an error.
  public var isError: Bool { type.hasSuffix("_failed") || type == "storage_low" }
}

/// What the log viewer shows. Pure.
public struct LogFilter: Hashable, Sendable {
  /// Types that are shown; none for all.
  public var types: Set<String> = []
  /// Whether only errors are shown.
  public var onlyErrors = false
  /// Lines since then; nil for all.
  public var since: Timestamp?
  /// Text that the message, the type or the stream has, in any case; empty for all.
  public var text = ""

  /// The only type shown, for a picker; nil for all or several types.
  public var onlyType: String? {
    get { types.count == 1 ? types.first : nil }
    set { types = newValue.map { [$0] } ?? [] }
  }

  /// All lines.
  public init() {}

  /// The lines that it lets through, the newest first.
  public func apply(to lines: [LogLine]) -> [LogLine] {
    lines.filter(shows).sorted { $0.timestamp > $1.timestamp }
  }

  /// Whether a line is shown.
  public func shows(_ line: LogLine) -> Bool {
    guard types.isEmpty || types.contains(line.type), !onlyErrors || line.isError else {
      return false
    }
    if let since, line.timestamp < since { return false }
    let wanted = text.lowercased()
    return wanted.isEmpty
      || [line.message, line.type, line.stream ?? ""].contains {
        $0.lowercased().firstRange(of: wanted) != nil
      }
  }
}
