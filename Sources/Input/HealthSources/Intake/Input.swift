import AppleExport
import Foundation
package import HealthLedger
package import HealthModel
import ObjectStore

/// What a command line or a setting names, recognised by its content, never by its name: a file, a folder
/// or stdin.
package struct Input: Sendable {
  package enum Kind: Sendable {
    /// An Apple Health export: a zip, an XML file, a folder that holds one, or a pipe whose first
    /// bytes were already read.
    case export(String, first: [UInt8] = [])
    /// Files of JSON in the order of their capture, and the other files next to them.
    case payloads([String], others: [String])
    /// JSON from a pipe.
    case pipedPayload(first: [UInt8])
  }

  package let kind: Kind
  /// The name that the caller used, for people.
  package let name: String
  /// Files that were named, and not found in a folder: another form than the others' is refused.
  private let named: Set<String>
  /// The setting that names it, for errors; nil for a command line.
  private var origin: String?

  /// Opens what a command line names: one file, folder or pipe, or several payloads, in the order
  /// given.
  package init(_ paths: [String]) throws(LedgerError) {
    if let path = paths.first, paths.count == 1 {
      (kind, name, named) = (try Self.kind(of: path), path, [path])
      return
    }
    var (files, others): ([String], [String]) = ([], [])
    for path in paths {
      if InputFile.isFolder(path) {
        let folder = try PayloadFolder(path)
        files += folder.files
        others += folder.others
      } else {
        files.append(path)
      }
    }
    kind = .payloads(files, others: others)
    (name, named) = ("the input", Set(paths))
  }

  /// Reads a file's first bytes, or looks into a folder.
  package init(_ path: String) throws(LedgerError) {
    try self.init([path])
  }

  /// Opens what a setting names, which may no longer exist.
  ///
  /// - Parameter origin: the setting, for errors.
  package init(configured path: String, by origin: String? = nil) throws(LedgerError) {
    do throws(LedgerError) {
      guard FileManager.default.fileExists(atPath: path) else {
        throw LedgerError(
          .invalidArguments, "the source \(path) does not exist", remedy: "check the path")
      }
      try self.init(path)
      self.origin = origin
    } catch {
      throw error.named(by: origin)
    }
  }

  private static func kind(of path: String) throws(LedgerError) -> Kind {
    if path == "-" || path == "/dev/stdin" {
      let input = try InputHead()
      return ForeignFormat.isExport(input.head)
        ? .export("-", first: input.first) : .pipedPayload(first: input.first)
    }
    guard FileManager.default.fileExists(atPath: path) else {
      throw InputFile.missing(path, remedy: "check the path; - is stdin")
    }
    guard InputFile.isFolder(path) else {
      // Opened to see what it is, a pipe could not be opened again.
      guard InputFile.size(of: path) != nil else {
        throw LedgerError(
          .invalidArguments, "\(path) is not a file", remedy: "pipe it to stdin, and give -")
      }
      return try isExport(path) ? .export(path) : .payloads([path], others: [])
    }
    if FolderFiles.holdsExport(path) { return .export(path) }
    if let zip = try onlyZip(in: path) { return .export(zip) }
    let folder = try PayloadFolder(path)
    return .payloads(folder.files, others: folder.others)
  }
}

extension Input {
  /// What to read from an input.
  package struct Request {
    /// The zones that determine the days.
    package let zone: ZoneSetting
    /// The current zone.
    package let timeZoneName: String
    /// The first requested date, if there is one.
    package var from: CalendarDate?
    /// The last requested date, if there is one.
    package var to: CalendarDate?
    /// Names of sources, the best first.
    package var priority: [String] = []
    /// The date to explain, if there is one.
    package var explained: CalendarDate?
    /// The metrics that are read.
    package var metrics = Set(DailyMetric.allCases)
    /// Whether the broken files of a folder are passed over, and named, so that they do not stop the others.
    package var passesOverBroken = false
    /// Called with the workouts and sleep of each day, oldest first; nil if they are not needed.
    package var records: ((DayRecords) -> Void)?
    /// Called with the progress of the reading.
    package var progress: (IntakeProgress) -> Void = { _ in }

    package init(in zone: ZoneSetting, at now: Timestamp) {
      (self.zone, timeZoneName) = (zone, zone.name(at: now))
    }

    /// What is wanted of payloads.
    var ofPayloads: PayloadOptions {
      var options = PayloadOptions()
      options.metrics = metrics
      options.keepsRecords = records != nil
      options.passesOverBroken = passesOverBroken
      return options
    }

    /// Whether a date is among those wanted.
    func holds(_ date: CalendarDate) -> Bool {
      from.map { $0 <= date } ?? true && to.map { $0 >= date } ?? true
    }
  }
}

extension Input {
  /// The days that are selected, of an input of any kind: metrics JSON and revisions too.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS if it can't be read, DATA_NOT_FOUND if it holds none of
  ///   the requested dates.
  package func days(
    _ selection: DaySelection, _ request: Request
  ) throws(LedgerError) -> SelectedDays {
    do throws(LedgerError) {
      if let (bytes, writtenAt) = try document() {
        return try selection.read(bytes, named: name, writtenAt: writtenAt, request)
      }
      var request = request
      (request.from, request.to) = (
        selection.wanted?.lowerBound, selection.wanted?.upperBound ?? selection.last
      )
      let source = try read(request)
      let span = try source.span(from: request.from, to: request.to)
      return try selection.select(SelectedDays(source, span), named: name)
    } catch {
      throw error.named(by: origin)
    }
  }

  /// The bytes of an input that is one document of JSON, and when its file was written; nil for an
  /// export, and for files that are read one after the other.
  private func document() throws(LedgerError) -> (bytes: [UInt8], writtenAt: Timestamp?)? {
    switch kind {
    case .pipedPayload(let first):
      (try InputFile.read("-", first: first, maximumBytes: SourceDocument.maximumBytes), nil)
    case .payloads([name], _) where InputFile.size(of: name) ?? 0 <= SourceDocument.maximumBytes:
      (
        try InputFile.read(name, maximumBytes: SourceDocument.maximumBytes),
        InputFile.writtenAt(name)
      )
    case .payloads, .export: nil
    }
  }

  /// Reads an export or payloads to their end.
  package func read(_ request: Request) throws(LedgerError) -> ImportedSource {
    if !request.priority.isEmpty, !isExport {
      throw LedgerError(
        .invalidArguments, "\(name) is not an Apple Health export",
        remedy: .input(.leaveOutSourcePriority))
    }
    switch kind {
    case .export(let path, let first):
      var options = ExportOptions()
      options.zones = request.zone.isGiven ? try request.zone.usable : nil
      options.keptZones = request.zone.isKept ? request.zone.zones : nil
      options.systemTimeZoneName = request.timeZoneName
      options.sourcePriority = request.priority
      (options.firstDate, options.lastDate) = (request.from, request.to)
      options.explainedDate = request.explained
      (options.metrics, options.wantsRecords) = (request.metrics, request.records != nil)
      return try AppleExportDays(
        path: path, first: first, options: options, records: request.records,
        progress: request.progress
      ).read()
    case .payloads(let files, let others):
      return try read(files, others: others, request)
    case .pipedPayload(let first):
      var payloads = try PayloadFiles(in: request.zone, options: request.ofPayloads)
      try payloads.addStandardInput(first: first)
      return try Self.source(&payloads, named: "stdin", notes: [], request)
    }
  }

  private func read(
    _ files: [String], others: [String], _ request: Request
  ) throws(LedgerError) -> ImportedSource {
    let total = Self.totalBytes(files)
    var payloads = try PayloadFiles(in: request.zone, options: request.ofPayloads)
    var broken = 0
    repeat {
      // What a broken file has said before its fault is not taken back, so the others are read again.
      broken = payloads.broken.count
      try payloads.begin()
      for file in files where !payloads.isBroken(file) {
        let bytes = try payloads.add(file, passesOver: files.count > 1 && !named.contains(file))
        request.progress(.reading(bytes: bytes, of: total))
      }
    } while payloads.broken.count > broken
    var notes: [String] = []
    if !others.isEmpty {
      notes.append("files that can't be payloads were left out: \(others.joined(separator: ", "))")
    }
    return try Self.source(&payloads, named: name, notes: notes, request)
  }

  private static func source(
    _ payloads: inout PayloadFiles, named name: String, notes: [String], _ request: Request
  ) throws(LedgerError) -> ImportedSource {
    let result = try payloads.result(named: name)
    var hasRecords = false
    if let take = request.records {
      for day in try payloads.records(named: name) where request.holds(day.date) {
        hasRecords = true
        take(day)
      }
    }
    let zone = request.zone
    return ImportedSource(
      kind: .healthAutoExport, name: name,
      zone: ZoneChoice(zone.zones, reason: zone.isGiven ? .asked : zone.isKept ? .kept : .system),
      days: result.days, units: payloads.count,
      notes: result.allNotes + notes.map { .text($0) }, broken: payloads.broken,
      hasRecords: hasRecords)
  }

  private var isExport: Bool {
    if case .export = kind { return true }
    return false
  }

  /// The only zip of a folder that holds neither an export nor a payload; nil if there is none.
  private static func onlyZip(in folder: String) throws(LedgerError) -> String? {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { !$0.hasPrefix(".") }.sorted()
    guard !names.contains(where: { $0.lowercased().hasSuffix(".json") }) else { return nil }
    let zips = names.filter { $0.lowercased().hasSuffix(".zip") }
    guard let zip = zips.first else { return nil }
    guard zips.count == 1 else {
      let more = zips.count > 3 ? " and \(zips.count - 3) more" : ""
      throw LedgerError(
        .invalidArguments,
        "the folder \(folder) holds several zips: \(zips.prefix(3).joined(separator: ", "))\(more)",
        remedy: "give the newest export.zip")
    }
    return (folder.hasSuffix("/") ? folder : folder + "/") + zip
  }

  /// Nil if the size of a file is not known.
  private static func totalBytes(_ files: [String]) -> Int? {
    var total = 0
    for file in files {
      let attributes = try? FileManager.default.attributesOfItem(atPath: file)
      guard attributes?[.type] as? FileAttributeType == .typeRegular,
        let size = attributes?[.size] as? Int
      else { return nil }
      total += size
    }
    return total
  }

  /// Whether a file begins like a zip or like XML.
  private static func isExport(_ path: String) throws(LedgerError) -> Bool {
    // Its reader reports a file that can't be opened.
    guard FileManager.default.isReadableFile(atPath: path) else { return false }
    do throws(SystemFailure) {
      return ForeignFormat.isExport(try SmallFile.read(path, maximumBytes: 4095))
    } catch {
      throw LedgerError(
        .invalidArguments, "\(path) can't be read: \(error.reason)",
        remedy: "check the file")
    }
  }
}
