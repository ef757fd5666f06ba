import ArgumentParser
import CommandLineKit
package import HealthLedger
import HealthModel
package import HealthStreams
import ObjectStore

/// Which batches to read: the dates, `--stream` and `--device`.
struct StreamOptions: ParsableArguments {
  @OptionGroup var span: SpanOptions

  @Option(
    help: .init(
      "Only this stream: location, audio, healthkit, payloads or messages. Can be repeated.",
      valueName: "name"))
  var stream: [StreamArgument<StoredStreams>] = []

  @Option(help: .init("Only the device with this UUID.", valueName: "uuid"))
  var device: String?

  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    if let device, device.count != 36 {
      throw ValidationError("--device must be a UUID, such as `raw ls` shows it")
    }
  }

  /// The streams in the order of their names.
  var streams: [StreamName] {
    StreamName.allCases.filter { name in
      stream.isEmpty || stream.contains { $0.stream == name }
    }
  }

  /// Opens the store and the UTC dates to read.
  func open() throws(LedgerError) -> OpenedStreams {
    let settings = try Settings(store, timeZone: "UTC")
    let (from, to) = try span.ends(settings, upTo: nil)
    var dates: ClosedRange<CalendarDate>?
    if let first = from ?? CalendarDate(year: 1, month: 1, day: 1),
      let last = to ?? CalendarDate(year: 9999, month: 12, day: 31), from != nil || to != nil
    {
      _ = try DateRange(from: first, to: last, maximumDays: .max)
      dates = first...last
    }
    let opened = try OpenedStore(settings, for: .reading)
    return OpenedStreams(
      opened: opened,
      store: try opened.streams,
      streams: streams, device: device?.lowercased(), from: from, to: to, dates: dates)
  }
}

struct OpenedStreams {
  let opened: OpenedStore
  let store: StreamStore
  let streams: [StreamName]
  let device: String?
  let from: CalendarDate?
  let to: CalendarDate?
  /// Nil for all.
  let dates: ClosedRange<CalendarDate>?

  /// Runs work on the store that does not use its ledger.
  func run<Output>(
    _ work: () async throws(StreamError) -> Output
  ) async throws(LedgerError) -> Output {
    try await opened.run { _ async throws(LedgerError) in try await worded(work) }
  }

  func listing(_ stream: StreamName) async throws(StreamError) -> StreamListing {
    guard let device else { return try await store.batches(of: stream, on: dates) }
    return try await store.batches(of: stream, device: device, on: dates)
  }
}

extension StreamError: WordedFailure {
  package var worded: LedgerError {
    if let cause { return LedgerError(cause) }
    let (code, remedy): (LedgerError.Code, LedgerError.Remedy) =
      switch code {
      case .tooManyDevices:
        (.invalidArguments, "keep each person's data under a prefix of its own, or give --device")
      case .invalidBatch: (.invalidArguments, "seal the entries again")
      case .occupied:
        (.storageUnavailable, "look at the object, and move it away if it is not yours")
      case .unsafeStore: (.storageUnavailable, .store(.diagnose))
      case .unanswered, .store: (.storageUnavailable, .store(.retryLater))
      }
    return LedgerError(code, message, key: key, remedy: remedy)
  }
}
