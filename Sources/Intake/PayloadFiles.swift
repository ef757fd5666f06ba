import HealthLedger
import HealthModel
import HealthSources

/// Reads several payloads of Health Auto Export, one after the other, as one source.
struct PayloadFiles {
  private var series: PayloadSeries
  private var notes: [String] = []
  private var bytesRead = 0
  /// How many files were payloads.
  private(set) var count = 0

  /// The most bytes of all files together, so that their rows fit into memory.
  private static let maximumBytes = 1 << 30

  init(
    in zones: ReportingZones, options: PayloadOptions = PayloadOptions()
  ) throws(IntakeError) {
    do {
      series = try PayloadSeries(zones: zones, options: options)
    } catch {
      throw IntakeError(error, "the input")
    }
  }

  /// Adds the next file in the order of capture. Returns the bytes of all files so far.
  ///
  /// - Parameter passesOver: whether JSON of another form is reported and skipped, as in a folder,
  ///   or refused, as for a file that was named.
  /// - Throws: `IntakeError` INVALID_ARGUMENTS for a damaged file. Then nothing of the source is
  ///   published.
  @discardableResult
  mutating func add(_ file: String, passesOver: Bool) throws(IntakeError) -> Int {
    let bytes = try InputFile.read(file, maximumBytes: SourceDocument.maximumBytes)
    try add(bytes, named: file == "-" ? "the input on stdin" : file, passesOver: passesOver)
    return bytesRead
  }

  /// Adds what stdin contains after `first`.
  mutating func addStandardInput(first: [UInt8]) throws(IntakeError) {
    let bytes = try InputFile.read(
      "-", first: first, maximumBytes: SourceDocument.maximumBytes)
    try add(bytes, named: "the input on stdin", passesOver: false)
  }

  private mutating func add(
    _ bytes: [UInt8], named name: String, passesOver: Bool
  ) throws(IntakeError) {
    bytesRead += bytes.count
    guard bytesRead <= Self.maximumBytes else {
      throw IntakeError(
        .invalidArguments, "the files up to \(name) are larger than 1 GB in total",
        remedy: "give fewer files at a time")
    }
    do throws(SourceError) {
      try series.add(SourceDocument(parsing: bytes))
      count += 1
    } catch  where passesOver && error.code == .notRecognised {
      notes.append("\(name) is not a Health Auto Export payload and was left out")
    } catch {
      throw IntakeError(error, name)
    }
  }

  /// The days of all files.
  mutating func result(named name: String) throws(IntakeError) -> SourceResult {
    guard count > 0 else {
      throw IntakeError(
        .invalidArguments, "\(name) holds no payload of Health Auto Export",
        advice: .publishMetricsAlone)
    }
    do {
      let merged = try series.result()
      return SourceResult(days: merged.days, notes: merged.notes + notes)
    } catch {
      throw IntakeError(error, name)
    }
  }

  /// The workouts and periods of sleep of all files, day by day, the oldest first.
  mutating func records(named name: String) throws(IntakeError) -> [DayRecords] {
    do {
      return try series.records()
    } catch {
      throw IntakeError(error, name)
    }
  }
}
