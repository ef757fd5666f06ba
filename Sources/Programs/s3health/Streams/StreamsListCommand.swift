import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthStreams

/// `raw ls`: how much raw data the store has, by stream, device and date.
struct StreamsListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List the batches, entries and bytes of each stream, device and date.",
    discussion: """
      Reads each batch to count its entries. --names-only lists object names only, which is faster. \
      Entries are counted as stored: one that was sent twice counts twice. Without dates it lists \
      everything. Dates are in UTC.

        s3health raw ls 7d
        s3health raw ls --stream location --names-only
      """)

  @OptionGroup var options: StreamOptions

  @Flag(help: "List object names only, and do not count the entries.")
  var namesOnly = false

  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      let opened = try options.open()
      var progress = ProgressLine("reading batch", total: nil)
      defer { progress.clear() }
      var report = StreamListReport(opened: opened, countsEntries: !namesOnly)
      try await opened.run { () async throws(StreamError) in
        for stream in opened.streams {
          let listing = try await opened.listing(stream)
          report.add(listing)
          guard !namesOnly else { continue }
          for try await reading in opened.store.readings(of: listing.batches) {
            report.count(reading)
            progress.advance()
          }
        }
      }
      progress.clear()
      switch output.output {
      case .json: try StandardStreams.write(report.document)
      case .text:
        try StandardStreams.writeLine(report.lines(.standardOutput()).joined(separator: "\n"))
      }
      return .success
    }
  }
}

/// What `raw ls` found.
struct StreamListReport {
  let opened: OpenedStreams
  let countsEntries: Bool

  private struct Row {
    let place: StreamLayout.BatchPlace
    var batches = 0
    var entries = 0
    var bytes = 0
  }

  private var rows: [Row] = []
  private var foreign = 0
  /// Objects that are not readable batches.
  private var damaged = 0
  /// The row of the batch that was counted last.
  private var current = 0

  /// The most lines of text. The newest are shown.
  private static let maximumLines = 60

  init(opened: OpenedStreams, countsEntries: Bool) {
    (self.opened, self.countsEntries) = (opened, countsEntries)
  }

  mutating func add(_ listing: StreamListing) {
    current = rows.count
    foreign += listing.foreign.count
    for batch in listing.batches {
      if rows.last.map({ Self.same($0.place, batch.place) }) != true {
        rows.append(Row(place: batch.place))
      }
      rows[rows.count - 1].batches += 1
      rows[rows.count - 1].bytes += batch.size
    }
  }

  /// Counts the entries of a batch that was added; batches come in the order of the listing.
  mutating func count(_ reading: BatchReading) {
    while !Self.same(rows[current].place, reading.listed.place) { current += 1 }
    guard case .success(let batch) = reading.result else {
      damaged += 1
      return
    }
    rows[current].entries += batch.entries.count
  }

  private static func same(
    _ a: StreamLayout.BatchPlace, _ b: StreamLayout.BatchPlace
  ) -> Bool {
    a.stream == b.stream && a.deviceID == b.deviceID && a.date == b.date
  }

  func lines(_ terminal: Terminal) -> [String] {
    let title = terminal.styled(opened.opened.name.printable, .strong) + opened.spanWords
    guard !rows.isEmpty else { return [title, "no batches held"] + remarks }
    let head = [
      "stream   ", "device" + String(repeating: " ", count: 30), "date      ",
      "batches".leftPadded(to: 8), countsEntries ? "entries".leftPadded(to: 10) : nil,
      "bytes".leftPadded(to: 13),
    ].compactMap { $0 }.joined(separator: "  ")
    let left = rows.count - Self.maximumLines
    let omitted =
      left > 0 ? ["(\(left.grouped) lines are omitted; --output json has all)"] : []
    let total = [
      "\(sum(\.batches).grouped) \(sum(\.batches) == 1 ? "batch" : "batches")",
      countsEntries
        ? "\(sum(\.entries).grouped) \(sum(\.entries) == 1 ? "entry" : "entries")" : nil,
      "\(sum(\.bytes).grouped) bytes",
    ].compactMap { $0 }.joined(separator: ", ")
    return [title, "", terminal.styled(head, .strong)] + omitted
      + rows.suffix(Self.maximumLines).map(line) + ["", total] + remarks
  }

  private func line(_ row: Row) -> String {
    [
      row.place.stream.shortName.padded(to: 9), row.place.deviceID, "\(row.place.date)",
      row.batches.grouped.leftPadded(to: 8),
      countsEntries ? row.entries.grouped.leftPadded(to: 10) : nil,
      row.bytes.grouped.leftPadded(to: 13),
    ].compactMap { $0 }.joined(separator: "  ")
  }

  private var remarks: [String] {
    let count = foreign + damaged
    guard count > 0 else { return [] }
    return [
      "\(count.grouped) \(count == 1 ? "object is" : "objects are") not a readable batch; "
        + "`s3health raw verify` shows \(count == 1 ? "it" : "them")"
    ]
  }

  private func sum(_ part: (Row) -> Int) -> Int { rows.reduce(0) { $0 + part($1) } }

  var document: JSONValue {
    var members = opened.document
    members["rows"] = .array(
      rows.map { row in
        var members: [String: JSONValue] = [
          "stream_name": .string(row.place.stream.rawValue),
          "device_id": .string(row.place.deviceID), "date": .string("\(row.place.date)"),
          "batches": .count(row.batches), "bytes": .count(row.bytes),
        ]
        if countsEntries { members["records"] = .count(row.entries) }
        return .object(members)
      })
    members["batches"] = .count(sum(\.batches))
    members["bytes"] = .count(sum(\.bytes))
    if countsEntries {
      members["records"] = .count(sum(\.entries))
      members["damaged_objects"] = .count(damaged)
    }
    members["foreign_objects"] = .count(foreign)
    return .object(members)
  }
}
