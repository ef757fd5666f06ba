import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthStreams

/// `raw ls`: how much raw data the store has, by stream, device and date.
struct StreamsListCommand: ResultCommand {
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

  func result() async throws(LedgerError) -> any CommandResult {
    let opened = try options.open()
    var progress = ProgressLine("reading batch", total: nil)
    defer { progress.clear() }
    var report = StreamListReport(opened, countsEntries: !namesOnly)
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
    return report
  }
}

/// What `raw ls` found.
struct StreamListReport: CommandResult, Encodable {
  let store: String
  let from, to: CalendarDate?
  private(set) var rows: [Row] = []
  private var (batches, bytes, foreignObjects) = (0, 0, 0)
  /// Nil where the entries are not counted.
  @OmittedIfNil private var records: Int?
  @OmittedIfNil private var damagedObjects: Int?
  /// The row of the batch that was counted last.
  @TextOnly private var current = 0

  struct Row: Encodable {
    let streamName: StreamName
    let deviceId: String
    let date: CalendarDate
    var batches = 0
    var bytes = 0
    @OmittedIfNil var records: Int? = nil

    func holds(_ place: StreamLayout.BatchPlace) -> Bool {
      streamName == place.stream && deviceId == place.deviceID && date == place.date
    }
  }

  init(_ opened: OpenedStreams, countsEntries: Bool) {
    (store, from, to) = (opened.opened.name, opened.from, opened.to)
    (records, damagedObjects) = countsEntries ? (0, 0) : (nil, nil)
  }

  mutating func add(_ listing: StreamListing) {
    current = rows.count
    foreignObjects += listing.foreign.count
    for batch in listing.batches {
      let place = batch.place
      if rows.last?.holds(place) != true {
        rows.append(
          Row(
            streamName: place.stream, deviceId: place.deviceID, date: place.date,
            records: records.map { _ in 0 }))
      }
      rows[rows.count - 1].batches += 1
      rows[rows.count - 1].bytes += batch.size
      batches += 1
      bytes += batch.size
    }
  }

  /// Counts the entries of a batch that was added; batches come in the order of the listing.
  mutating func count(_ reading: BatchReading) {
    while !rows[current].holds(reading.listed.place) { current += 1 }
    guard case .success(let batch) = reading.result else {
      damagedObjects? += 1
      return
    }
    rows[current].records? += batch.entries.count
    records? += batch.entries.count
  }

  /// The most lines of text. The newest are shown.
  private static let maximumLines = 60

  func lines(_ terminal: Terminal) -> [String] {
    let title = terminal.styled(store.printable, .strong) + spanWords(from, to)
    guard !rows.isEmpty else { return [title, "no batches held"] + remarks }
    // An id is told by how it begins.
    let fixed = records == nil ? 46 : 58
    let room = terminal.isTerminal ? max(9, min(36, terminal.width - fixed)) : 36
    let head = [
      "stream   ", "device".padded(to: room), "date      ", "batches".leftPadded(to: 8),
      records.map { _ in "entries".leftPadded(to: 10) }, "bytes".leftPadded(to: 13),
    ].compactMap { $0 }.joined(separator: "  ")
    let left = rows.count - Self.maximumLines
    let omitted =
      left > 0 ? ["(\(left.grouped) lines are omitted; --output json has all)"] : []
    let shown = rows.suffix(Self.maximumLines).map { row in
      [
        row.streamName.shortName.padded(to: 9),
        row.deviceId.count > room ? row.deviceId.prefix(room - 1) + "…" : row.deviceId,
        "\(row.date)",
        row.batches.grouped.leftPadded(to: 8), row.records?.grouped.leftPadded(to: 10),
        row.bytes.grouped.leftPadded(to: 13),
      ].compactMap { $0 }.joined(separator: "  ")
    }
    let total = [
      batches.counted("batch", "batches"), records?.counted("entry", "entries"),
      "\(bytes.grouped) bytes",
    ].compactMap { $0 }.joined(separator: ", ")
    return [title, "", terminal.styled(head, .strong)] + omitted + shown + ["", total] + remarks
  }

  private var remarks: [String] {
    let count = foreignObjects + (damagedObjects ?? 0)
    guard count > 0 else { return [] }
    return [
      "\(count.counted("object is", "objects are")) not a readable batch; "
        + "`s3health raw verify` shows \(count == 1 ? "it" : "them")"
    ]
  }
}
