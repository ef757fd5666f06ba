import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthStreams

/// `raw cat`: prints the raw data.
struct StreamsCatCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "cat",
    abstract: "Print entries as JSON lines, each once.",
    discussion: """
      Prints the entries of each stream, date by date, in order of time. An entry that was sent twice \
      is printed once, one that was corrected as it was received last, and one that was deleted not \
      at all. --raw prints the batches as they are stored, one on each line. Dates are in UTC. An \
      object that is not a readable batch is reported on stderr, and the exit code is then 1.

        s3health raw cat yesterday..today --stream healthkit
        s3health raw cat --raw > batches.jsonl
        s3health raw cat --refused
      """)

  @OptionGroup var options: StreamOptions

  @Flag(help: "Print whole batches, as they are stored.")
  var raw = false

  @Flag(
    help: "Print what s3healthd kept aside because it was not valid, with the reason as `fault`.")
  var refused = false

  func validate() throws {
    if refused, raw { throw ValidationError("give either --raw or --refused") }
  }

  /// The most bytes of one date's entries, which are held in memory to put them in order.
  private static let maximumBytes = 512 << 20

  func perform() async throws(LedgerError) -> ExitCode {
    let opened = try options.open()
    var faults = 0
    for stream in refused ? [.appMessages] : opened.streams {
      let listing = try await opened.run { () async throws(StreamError) in
        try await opened.listing(stream)
      }
      for entry in listing.foreign {
        faults += 1
        StandardStreams.note("s3health: not a batch, left out: \(entry.key.printable)")
      }
      // In order of date, whatever the device.
      let days = Dictionary(grouping: listing.batches, by: \.place.date)
      for (_, batches) in days.sorted(by: { $0.key < $1.key }) {
        faults +=
          try await raw ? printBatches(batches, of: opened) : printEntries(batches, of: opened)
      }
    }
    return faults == 0 ? .success : foundSomething
  }

  /// Prints the entries of a date. Returns how many objects were not batches.
  private func printEntries(
    _ batches: [ListedBatch], of opened: OpenedStreams
  ) async throws(LedgerError) -> Int {
    var tally = EntryTally()
    let faults = try await read(batches, of: opened) { (batch) throws(LedgerError) in
      tally.add(batch)
      guard tally.bytes <= Self.maximumBytes else {
        throw LedgerError(
          .internal, "the entries of one date have more than \(Self.maximumBytes >> 20) MB",
          remedy: "give --device, or --raw, which needs no memory for a whole date")
      }
    }
    var lines: [UInt8] = []
    for entry in tally.entries where !refused || entry.isRefused {
      lines += entry.bytes
      lines.append(UInt8(ascii: "\n"))
      if lines.count > 1 << 20 {
        try StandardStreams.write(lines)
        lines.removeAll(keepingCapacity: true)
      }
    }
    try StandardStreams.write(lines)
    return faults
  }

  /// Prints the batches of a date. Returns how many objects were not batches.
  private func printBatches(
    _ batches: [ListedBatch], of opened: OpenedStreams
  ) async throws(LedgerError) -> Int {
    try await read(batches, of: opened) { (batch) throws(LedgerError) in
      try StandardStreams.write(batch.object + [UInt8(ascii: "\n")])
    }
  }

  private func read(
    _ batches: [ListedBatch], of opened: OpenedStreams,
    _ body: (StoredBatch) throws(LedgerError) -> Void
  ) async throws(LedgerError) -> Int {
    try await opened.opened.run { _ async throws(LedgerError) in
      var faults = 0
      var readings = opened.store.readings(of: batches).makeAsyncIterator()
      while true {
        let next = try await worded { () async throws(StreamError) in
          try await readings.next(isolation: nil)
        }
        guard let reading = next else { return faults }
        switch reading.result {
        case .success(let batch): try body(batch)
        case .failure(let fault):
          faults += 1
          StandardStreams.note(
            "s3health: left out: \(reading.listed.key.rawValue.printable): \(fault.message.printable)"
          )
        case nil:
          faults += 1
          StandardStreams.note(
            "s3health: gone since it was listed: \(reading.listed.key.rawValue.printable)")
        }
      }
    }
  }
}

extension StreamEntry {
  /// Whether it is kept aside because it is not what it should be.
  fileprivate var isRefused: Bool { (try? JSONValue(parsing: bytes))?["fault"] != nil }
}
