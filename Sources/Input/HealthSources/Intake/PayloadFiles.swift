import HealthLedger
import HealthModel

/// Reads several payloads of Health Auto Export, one after the other, as one source.
struct PayloadFiles {
  private var series: PayloadSeries
  private let zone: ZoneSetting
  private var notes: [String] = []
  private var bytesRead = 0
  /// How many files were payloads.
  private(set) var count = 0

  /// A file of more bytes is read a part at a time.
  private static let smallBytes = 1 << 20

  init(
    in zone: ZoneSetting, options: PayloadOptions = PayloadOptions()
  ) throws(LedgerError) {
    self.zone = zone
    do {
      series = try PayloadSeries(zones: zone.zones, options: options)
    } catch {
      throw LedgerError(error, "the input")
    }
  }

  /// Adds the next file in the order of capture. Returns the bytes of all files so far.
  ///
  /// - Parameter passesOver: whether JSON of another form is reported and skipped, as in a folder,
  ///   or refused, as for a file that was named.
  /// - Throws: `LedgerError` INVALID_ARGUMENTS for a damaged file. Then nothing of the source is
  ///   published.
  @discardableResult
  mutating func add(_ file: String, passesOver: Bool) throws(LedgerError) -> Int {
    if let size = InputFile.size(of: file), size > Self.smallBytes {
      try add(file, of: size, passesOver: passesOver)
      return bytesRead
    }
    let writtenAt = InputFile.writtenAt(file)
    let bytes = try InputFile.read(file, maximumBytes: SourceDocument.maximumBytes)
    try add(
      bytes, named: file == "-" ? "the input on stdin" : file, writtenAt: writtenAt,
      passesOver: passesOver)
    return bytesRead
  }

  /// Adds what stdin contains after `first`.
  mutating func addStandardInput(first: [UInt8]) throws(LedgerError) {
    let bytes = try InputFile.read(
      "-", first: first, maximumBytes: SourceDocument.maximumBytes)
    try add(bytes, named: "the input on stdin", writtenAt: nil, passesOver: false)
  }

  private mutating func add(
    _ bytes: [UInt8], named name: String, writtenAt: Timestamp?, passesOver: Bool
  ) throws(LedgerError) {
    try add(named: name, of: bytes.count, passesOver: passesOver) {
      (series) throws(SourceError) in
      try series.add(SourceDocument(parsing: bytes), writtenAt: writtenAt)
    }
  }

  /// Adds a large file, which is read a part at a time.
  private mutating func add(
    _ file: String, of size: Int, passesOver: Bool
  ) throws(LedgerError) {
    let (parts, writtenAt) = (try InputFile.parts(of: file), InputFile.writtenAt(file))
    try add(named: file, of: size, passesOver: passesOver) { (series) throws(SourceError) in
      do throws(SourceError) {
        try series.add(scanning: parts, writtenAt: writtenAt)
      } catch  where error.code == .notJSON && size <= SourceDocument.maximumBytes {
        // The whole text is needed to find the place of the fault.
        _ = try SourceDocument(parsing: try parts.read(0, size))
        throw error
      }
    }
  }

  private mutating func add(
    named name: String, of size: Int, passesOver: Bool,
    _ read: (inout PayloadSeries) throws(SourceError) -> Void
  ) throws(LedgerError) {
    bytesRead += size
    do throws(SourceError) {
      try read(&series)
      count += 1
    } catch  where passesOver && error.code == .notRecognised {
      notes.append("\(name) is not a Health Auto Export payload and was left out")
    } catch  where error.code == .notRecognised && size > SourceDocument.maximumBytes {
      throw LedgerError(
        .invalidArguments,
        "\(name) is larger than \(SourceDocument.maximumBytes >> 20) MB, and not a payload of Health "
          + "Auto Export",
        remedy: "split it: metrics JSON is read in files of up to this size")
    } catch {
      throw LedgerError(error, name)
    }
    if let misfit = series.misfit { try zone.check(misfit, of: name) }
  }

  /// The days of all files.
  mutating func result(named name: String) throws(LedgerError) -> SourceResult {
    guard count > 0 else {
      throw LedgerError(
        .invalidArguments, "\(name) holds no payload of Health Auto Export",
        remedy: .input(.publishMetricsAlone))
    }
    do {
      let merged = try series.result()
      return SourceResult(
        days: merged.days, notes: merged.notes + notes, misfit: merged.misfit)
    } catch {
      throw LedgerError(error, name)
    }
  }

  /// The workouts and periods of sleep of all files, day by day, the oldest first.
  mutating func records(named name: String) throws(LedgerError) -> [DayRecords] {
    do {
      return try series.records()
    } catch {
      throw LedgerError(error, name)
    }
  }
}
