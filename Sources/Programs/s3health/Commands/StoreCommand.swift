import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel

/// A command about a store: its options, and a function from the opened store to a result.
protocol StoreCommand: ResultCommand, ConfiguredCommand {
  /// Which of a person's own settings it uses.
  static var need: Settings.Need { get }

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
    // An id is a second after what it follows, so what was stored just now may be a little ahead.
    let ahead = secondsSince1970 - now.secondsSince1970
    let seconds = max(0, -ahead)
    let (count, unit) =
      switch seconds {
      case _ where ahead > 60: (0, "")
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
