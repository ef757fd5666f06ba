import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

/// What a command found or did: a document for programs, which it encodes itself, and lines for people.
protocol CommandResult {
  /// None to print nothing.
  func lines(_ terminal: Terminal) -> [String]

  /// Itself, if it is what the document has; else a `Document` that is made of it.
  var document: any Encodable { get }

  /// The document, as one line of JSON.
  func json() throws(LedgerError) -> [UInt8]

  /// Says on stderr what belongs to it, before it is printed.
  func remark(_ format: OutputFormat)

  /// 1 for findings, and the code of a failure where a part failed (R40).
  var exitCode: ExitCode { get }

  /// Whether nothing was found of what was asked for. Then a store without days is an error, and a
  /// person who does not exist.
  var isEmpty: Bool { get }
}

extension CommandResult where Self: Encodable {
  var document: any Encodable { self }
}

extension CommandResult {
  func json() throws(LedgerError) -> [UInt8] { try JSONValue(encoding: document).canonicalBytes }
  func remark(_ format: OutputFormat) {}
  var exitCode: ExitCode { .success }
  var isEmpty: Bool { false }

  func print(_ format: OutputFormat) throws(LedgerError) {
    remark(format)
    switch format {
    case .json: try StandardStreams.write(try json() + [UInt8(ascii: "\n")])
    case .text:
      let lines = lines(.standardOutput())
      if !lines.isEmpty { try StandardStreams.writeLine(lines.joined(separator: "\n")) }
    }
  }
}

/// A command that makes a result: its options, and a function. The rest is the same for all of them.
protocol ResultCommand: AsyncParsableCommand {
  var output: OutputOptions { get }

  func result() async throws(LedgerError) -> any CommandResult
}

extension ResultCommand {
  func run() async throws { try await printResult() }

  func printResult() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      let result = try await result()
      try result.print(output.output)
      return result.exitCode
    }
  }
}

/// A command about a store: its options, and a function from the opened store to a result.
protocol StoreCommand: ResultCommand {
  /// Which of a person's own settings it uses.
  static var need: Settings.Need { get }

  var store: StoreOptions { get }
  /// `--timezone`, where the command has it.
  var timezone: String? { get }

  func result(
    _ opened: OpenedStore, _ settings: Settings
  ) async throws(LedgerError) -> any CommandResult
}

extension StoreCommand {
  static var need: Settings.Need { .zone }
  var timezone: String? { nil }

  func result() async throws(LedgerError) -> any CommandResult {
    Diagnostics.start(store)
    let settings = try await Settings(store, timeZone: timezone).ofPerson(Self.need)
    let opened = try OpenedStore(settings)
    let result = try await result(opened, settings)
    if result.isEmpty { _ = try await opened.held(settings) }
    return result
  }
}

/// Whether this is the part of one person in a run over many, which shows no progress of its own.
enum OneOfMany {
  @TaskLocal static var isInside = false

  static func progress() -> Terminal {
    isInside ? Terminal(isTerminal: false, usesColor: false, width: 80) : .progress()
  }
}

extension OpenedStore {
  /// Works on the store, and shows how far it is; not for one person of many.
  func counting<Output>(
    _ label: String, _ unit: ProgressLine.Unit = .days, of total: Int? = nil,
    _ work: (HealthLedger, (Int) -> Void) async throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output {
    var progress = ProgressLine(label, total: total, unit: unit, terminal: OneOfMany.progress)
    defer { progress.clear() }
    return try await run { ledger async throws(LedgerError) in
      try await work(ledger) { progress.advance(to: $0) }
    }
  }
}

extension Int {
  /// `1 day`, `1,234 days`.
  func counted(_ one: String, _ many: String? = nil) -> String {
    "\(grouped) \(self == 1 ? one : many ?? one + "s")"
  }
}

/// `  2026-01-01 to 2026-01-07`, or nothing.
func spanWords(_ dates: ClosedRange<CalendarDate>?) -> String {
  spanWords(dates?.lowerBound, dates?.upperBound)
}

func spanWords(_ from: CalendarDate?, _ to: CalendarDate?) -> String {
  switch (from, to) {
  case (nil, nil): ""
  case (let from?, let to?): "  \(from) to \(to)"
  case (let from?, nil): "  from \(from)"
  case (nil, let to?): "  up to \(to)"
  }
}

extension Timestamp {
  /// How long ago it was: `3 minutes ago`.
  func ago(_ now: Timestamp) -> String {
    let seconds = now.secondsSince1970 - secondsSince1970
    let (count, unit) =
      switch seconds {
      case ..<0: (0, "")
      case ..<120: (seconds, "second")
      case ..<7200: (seconds / 60, "minute")
      case ..<172_800: (seconds / 3600, "hour")
      default: (seconds / 86_400, "day")
      }
    return unit.isEmpty
      ? "in the future" : "\(count.grouped) \(unit)\(count == 1 ? "" : "s") ago"
  }
}

extension CalendarDate {
  /// How many days before today it is: `yesterday`, `3 days ago`.
  func ago(_ today: CalendarDate) -> String {
    let days = days(until: today)
    switch days {
    case 0: return "today"
    case 1: return "yesterday"
    case 2...: return "\(days.grouped) days ago"
    case -1: return "tomorrow"
    default: return "\((-days).grouped) days ahead"
    }
  }
}
