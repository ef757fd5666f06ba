import Foundation
package import HealthLedger
package import HealthModel
import ObjectStore

/// A file of a folder that could not be read.
package struct BrokenFile: Hashable, Sendable {
  package let file: String
  package let error: LedgerError
  /// When it was last written, if that is known.
  package let writtenAt: Timestamp?

  /// Seconds after which a file is no longer in the middle of being written or synchronised.
  private static let longest = 3600

  /// Whether it may still be on its way here. One that stays broken for an hour is not.
  package func mayBeArriving(at now: Timestamp) -> Bool {
    writtenAt.map { now.secondsSince1970 - $0.secondsSince1970 < Self.longest } ?? false
  }
}

/// Reads several payloads of Health Auto Export, one after the other, as one source.
struct PayloadFiles {
  private var series: PayloadSeries
  private let zone: ZoneSetting
  private let options: PayloadOptions
  private var notes: [String] = []
  private var bytesRead = 0
  /// How many files were payloads.
  private(set) var count = 0
  /// Those that were passed over, because the others need not wait for them.
  private(set) var broken: [BrokenFile] = []

  /// A file of more bytes is read a part at a time.
  private static let smallBytes = 1 << 20

  init(
    in zone: ZoneSetting, options: PayloadOptions = PayloadOptions()
  ) throws(LedgerError) {
    (self.zone, self.options) = (zone, options)
    series = try Self.series(zone, options)
  }

  private static func series(
    _ zone: ZoneSetting, _ options: PayloadOptions
  ) throws(LedgerError) -> PayloadSeries {
    do {
      return try PayloadSeries(zones: zone.zones, options: options)
    } catch {
      throw LedgerError(error, "the input")
    }
  }

  /// Begins again, without what was read.
  mutating func begin() throws(LedgerError) {
    series = try Self.series(zone, options)
    (notes, bytesRead, count) = ([], 0, 0)
  }

  func isBroken(_ file: String) -> Bool { broken.contains { $0.file == file } }

  /// Adds the next file in the order of capture. Returns the bytes of all files so far.
  ///
  /// - Parameter passesOver: whether JSON of another form is reported and skipped, as in a folder,
  ///   or refused, as for a file that was named.
  /// - Throws: `LedgerError` INVALID_ARGUMENTS for a damaged file, unless it may be passed over. Then
  ///   nothing of the source is published.
  mutating func add(_ file: String, passesOver: Bool) throws(LedgerError) -> Int {
    do throws(LedgerError) {
      try read(file, passesOver: passesOver)
    } catch  where passesOver && options.passesOverBroken && error.code == .invalidArguments {
      broken.append(BrokenFile(file: file, error: error, writtenAt: InputFile.writtenAt(file)))
      // What it said before its fault is still in there.
      series = try Self.series(zone, options)
    }
    try checkZone(of: file)
    return bytesRead
  }

  private func checkZone(of name: String) throws(LedgerError) {
    if let misfit = series.misfit { try zone.check(misfit, of: name) }
  }

  private mutating func read(_ file: String, passesOver: Bool) throws(LedgerError) {
    if let size = InputFile.size(of: file), size > Self.smallBytes {
      return try add(file, of: size, passesOver: passesOver)
    }
    let writtenAt = InputFile.writtenAt(file)
    let bytes = try InputFile.read(file, maximumBytes: SourceDocument.maximumBytes)
    try add(
      bytes, named: file == "-" ? "the input on stdin" : file, writtenAt: writtenAt,
      passesOver: passesOver)
  }

  /// Adds what stdin contains after `first`.
  mutating func addStandardInput(first: [UInt8]) throws(LedgerError) {
    let bytes = try InputFile.read(
      "-", first: first, maximumBytes: SourceDocument.maximumBytes)
    try add(bytes, named: "the input on stdin", writtenAt: nil, passesOver: false)
    try checkZone(of: "the input on stdin")
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
  }

  /// The days of all files.
  mutating func result(named name: String) throws(LedgerError) -> SourceResult {
    guard count > 0 else {
      if let first = broken.first { throw first.error }
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

/// The payloads in a folder that an automation of Health Auto Export fills.
struct PayloadFolder {
  /// Files that end in `.json`, sorted as people sort names: `day 9` before `day 10`.
  let files: [String]
  /// Names of others that are not hidden, nor folders, sorted.
  let others: [String]

  /// The most files of one folder.
  private static let maximumFiles = 100_000

  /// Looks into a folder, but not into its subfolders.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS if it can't be read, holds `.hae` files, or holds no
  ///   `.json` file.
  init(_ path: String) throws(LedgerError) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw LedgerError(
        .invalidArguments, "the folder \(path) can't be read: \(SystemFailure.reason(of: error))",
        remedy: "check its permissions")
    }
    // Of what a cloud drive has evicted, and of a link that leads nowhere, nothing can be read: each is
    // reported as a broken file, because the days of the others alone could be too small.
    let evicted = names.compactMap(Placeholder.file).filter { !names.contains($0) }
    let visible = names.filter { !$0.hasPrefix(".") } + evicted
    if let archive = Self.firstArchive(path, visible) {
      throw LedgerError(
        .invalidArguments,
        "\(path) holds files of Health Auto Export's iCloud AutoSync, such as \(archive): they are "
          + "compressed with LZFSE and can't be read",
        remedy: "use a manual export or an automation with the format JSON, and name its folder")
    }
    let files = visible.filter { !InputFile.isFolder(path + "/" + $0) }
    let payloads = files.filter {
      $0.lowercased().hasSuffix(".json") && !InputFile.isSpecial(path + "/" + $0)
    }
    if payloads.isEmpty,
      let table = visible.sorted().first(where: {
        $0.lowercased().hasSuffix(".csv")
      })
    {
      throw LedgerError(
        .invalidArguments, "\(path) holds CSV files, such as \(table), and no .json file",
        remedy: "choose JSON as the format in Health Auto Export, and name the folder again")
    }
    guard !payloads.isEmpty else {
      throw LedgerError(
        .invalidArguments,
        "\(path) is a folder that holds neither Apple Health's export.xml nor a .json file",
        remedy: """
          name export.zip, an unpacked apple_health_export, or a folder of Health Auto Export's \
          JSON files
          """)
    }
    guard payloads.count <= Self.maximumFiles else {
      throw LedgerError(
        .invalidArguments, "\(path) holds more than \(Self.maximumFiles) files",
        remedy: "split the folder")
    }
    self.files = payloads.sorted(by: Self.isBefore).map { path + "/" + $0 }
    others = Set(files).subtracting(payloads).sorted()
  }

  /// By the numbers in the names; if those are equal, by bytes, so that the order is unique.
  static func isBefore(_ a: String, _ b: String) -> Bool {
    let (one, other) = (parts(of: a), parts(of: b))
    if one != other { return one.lexicographicallyPrecedes(other) }
    return a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  /// A name in small letters, each run of digits as one number.
  private static func parts(of name: String) -> [Part] {
    var parts: [Part] = []
    var rest = name.lowercased().unicodeScalars[...]
    while let scalar = rest.first {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      if digits.isEmpty {
        parts.append(.other(scalar))
        rest.removeFirst()
      } else {
        parts.append(.number(String(digits.drop { $0 == "0" })))
        rest = rest[digits.endIndex...]
      }
    }
    return parts
  }

  /// A run of digits without leading zeros, or any other character.
  private enum Part: Comparable {
    case number(String)
    case other(Unicode.Scalar)

    static func < (a: Part, b: Part) -> Bool {
      switch (a, b) {
      case (.number(let a), .number(let b)):
        (a.utf8.count, a) < (b.utf8.count, b)
      case (.number, .other(let scalar)): "0" < scalar
      case (.other(let scalar), .number): scalar < "0"
      case (.other(let a), .other(let b)): a < b
      }
    }
  }

  /// An `.hae` file of the folder or, as AutoSync stores them, two levels below it.
  private static func firstArchive(_ path: String, _ names: [String]) -> String? {
    if let name = names.sorted().first(where: { $0.lowercased().hasSuffix(".hae") }) { return name }
    var rest = 10_000
    return firstArchive(below: path, levels: 3, looksAt: &rest)
  }

  private static func firstArchive(
    below path: String, levels: Int, looksAt rest: inout Int
  ) -> String? {
    // Fails for what is not a folder.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names.sorted() where rest > 0 {
      rest -= 1
      if name.lowercased().hasSuffix(".hae") { return name }
      guard levels > 0 else { continue }
      let found = firstArchive(below: path + "/" + name, levels: levels - 1, looksAt: &rest)
      if let found { return name + "/" + found }
    }
    return nil
  }
}
