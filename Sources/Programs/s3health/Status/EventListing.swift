import CommandLineKit
import HealthEvents
import HealthLedger
import HealthModel
import ObjectStore

/// `status --log`: what was done on this machine.
struct EventListing {
  private let log: EventLog
  private let filter: EventFilter
  private let format: OutputFormat

  init(_ settings: Settings, _ filter: EventFilter, _ format: OutputFormat) {
    log = EventLog(folder: settings.store.directories.data)
    (self.filter, self.format) = (filter, format)
  }

  /// - Parameter follows: whether new events are printed until the process is interrupted.
  func print(follows: Bool) async throws(LedgerError) {
    var reader = EventLogReader(log)
    defer { reader.end() }
    var shown = 0
    let terminal = Terminal.standardOutput()
    while true {
      let events = try reader.read()
      for event in events where filter.takes(event) {
        shown += 1
        switch format {
        case .json: try StandardStreams.write(event.document)
        case .text: try StandardStreams.writeLine(event.line(terminal))
        }
      }
      guard events.isEmpty else { continue }
      guard follows, (try? await Task.sleep(for: .milliseconds(400))) != nil else { break }
    }
    if reader.damagedLines > 0 {
      StandardStreams.remark("note: \(reader.damagedLines) lines of the log are damaged")
    }
    if shown == 0 { StandardStreams.remark("no events") }
  }
}

extension EventLogReader {
  /// The next events; empty if there are none at the moment.
  mutating func read() throws(LedgerError) -> [LogEvent] {
    do throws(SystemFailure) {
      return try next()
    } catch {
      throw LedgerError(
        .storageUnavailable, "the log can't be read: \(error.reason)", key: log.path,
        remedy: "give this user read permission for the file")
    }
  }
}

struct EventFilter {
  private let types: Set<String>
  private let since: Timestamp?

  /// All types that a program writes.
  static let types = LogEvent.Kind.allCases.map(\.rawValue)

  init(types: [String], since: String?, _ settings: Settings) throws(LedgerError) {
    let names = types.flatMap { $0.split(separator: ",").map(String.init) }
    if let unknown = names.first(where: { !Self.types.contains($0) }) {
      throw LedgerError(
        .invalidArguments, "unknown type of event \"\(unknown.prefix(40))\"",
        remedy: .text("use one of \(Self.types.joined(separator: ", "))"))
    }
    self.types = Set(names)
    self.since = try since.map { text throws(LedgerError) in try Self.moment(text, settings) }
  }

  /// A duration before now, the start of a date, or a moment.
  private static func moment(
    _ text: String, _ settings: Settings
  ) throws(LedgerError) -> Timestamp {
    if let duration = DurationText(text) { return settings.now.adding(seconds: -duration.seconds) }
    guard let date = CalendarDate(text) else {
      return try settings.moment(MomentArgument(argument: text))
    }
    return try worded { () throws(ReportingDay.Failure) in
      try ReportingDay(date: date, timeZoneName: settings.timeZoneName).start.timestamp
    }
  }

  func takes(_ event: LogEvent) -> Bool {
    (types.isEmpty || types.contains(event.type)) && since.map { event.timestamp >= $0 } ?? true
  }
}

extension LogEvent {
  /// One line for people: moment, type, message, and the details.
  fileprivate func line(_ terminal: Terminal) -> String {
    let isBad = type.hasSuffix("_failed") || type == Kind.storageLow.rawValue
    let name = type.printable.padded(to: 17)
    var line = "\(timestamp)  \(isBad ? terminal.styled(name, .bad) : name)  "
    line += message.printable
    let details = details.sorted { $0.key < $1.key }.map { name, value in
      "\(name)=\(value.stringValue ?? String(decoding: value.canonicalBytes, as: UTF8.self))"
    }
    if !details.isEmpty {
      line += terminal.styled("  \(details.joined(separator: " ").printable)", .faint)
    }
    return line
  }
}
