import ArgumentParser
import CommandLineKit
import Foundation
import HealthEvents
import HealthLedger
import HealthModel
import ObjectStore

/// `status log`: shows what the program did on this machine.
struct LogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show the log of syncs, collector runs and services on this machine.",
    discussion: """
      The log is a file of JSON lines that only you can read. It keeps the newest one to two \
      megabytes. With --output json the lines are printed as they are.

        s3health status log --since 2h
        s3health status log --type sync_failed,push_failed
        s3health status log --follow
      """)

  @Option(
    help: .init(
      "Only events since then: a duration such as 2h, a date, or a time with its zone.",
      valueName: "moment"))
  var since: String?

  @Option(
    help: .init(
      "Only events of these types, separated by commas.",
      discussion: "Types: \(LogEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "types"))
  var type: [String] = []

  @Flag(name: .shortAndLong, help: "Keep printing new events until interrupted.")
  var follow = false

  @OptionGroup var output: OutputOptions

  @OptionGroup var settings: QueueSettings

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      let settings = try settings.settings()
      let filter = try EventFilter(types: type, since: since, settings)
      let log = EventLog(folder: settings.store.directories.data)
      var reader = EventLogReader(log)
      defer { reader.end() }
      var shown = 0
      let terminal = Terminal.standardOutput()
      do {
        while true {
          let events = try reader.next()
          for event in events where filter.takes(event) {
            shown += 1
            switch output.output {
            case .json: try StandardStreams.write(event.document)
            case .text: try StandardStreams.writeLine(event.line(terminal))
            }
          }
          if !events.isEmpty { continue }
          guard follow else { break }
          try await Task.sleep(for: .milliseconds(400))
        }
      } catch let error as LedgerError {
        throw error
      } catch let error as SystemFailure {
        throw LedgerError(
          .storageUnavailable, "the log can't be read: \(error.reason)", key: reader.log.path,
          remedy: "give this user read permission for the file")
      } catch {
        throw LedgerError(.internal, "the log can't be followed: \(error)")
      }
      if reader.damagedLines > 0 {
        StandardStreams.remark("note: \(reader.damagedLines) lines of the log are damaged")
      }
      if shown == 0 { StandardStreams.remark("no events") }
      return .success
    }
  }
}

/// Which events are asked for.
struct EventFilter {
  private let types: Set<String>
  private let since: Timestamp?

  init(types: [String], since: String?, _ settings: Settings) throws(LedgerError) {
    let names = types.flatMap { $0.split(separator: ",").map(String.init) }
    let known = LogEvent.Kind.allCases.map(\.rawValue)
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw LedgerError(
        .invalidArguments, "there is no type of event \"\(unknown.prefix(40))\"",
        remedy: .text("use one of \(known.joined(separator: ", "))"))
    }
    self.types = Set(names)
    guard let since else {
      self.since = nil
      return
    }
    if let duration = DurationText(since) {
      self.since = settings.now.adding(seconds: -duration.seconds)
    } else if let date = CalendarDate(since) {
      do throws(ReportingDay.Failure) {
        self.since =
          try ReportingDay(date: date, timeZoneName: settings.timeZoneName).start.timestamp
      } catch {
        throw LedgerError(
          .invalidArguments, "the time zone \(settings.timeZoneName) does not exist",
          remedy: "set S3HEALTH_TIMEZONE to a name such as Europe/Berlin")
      }
    } else {
      self.since = try settings.moment(MomentArgument(argument: since))
    }
  }

  func takes(_ event: LogEvent) -> Bool {
    (types.isEmpty || types.contains(event.type)) && since.map { event.timestamp >= $0 } ?? true
  }
}

extension LogEvent {
  /// One line for people: moment, type, message, and the details.
  func line(_ terminal: Terminal) -> String {
    let style: Terminal.Style? =
      type.hasSuffix("_failed") || type == Kind.storageLow.rawValue ? .bad : nil
    let name = type.printable.padded(to: 17)
    var line = "\(timestamp)  \(style.map { terminal.styled(name, $0) } ?? name)  "
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
