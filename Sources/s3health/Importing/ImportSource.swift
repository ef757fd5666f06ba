import Foundation
import HealthLedger
import HealthModel
import HealthSources

/// What a source's path leads to: told by content, never by name.
enum ImportSource {
  /// A payload of Health Auto Export, or several in the order of their capture.
  case payloads([String], others: [String])

  /// Looks at a file's first bytes, or into a folder.
  init(_ path: String) throws(LedgerError) {
    var isDirectory: ObjCBool = false
    guard path == "-" || FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    else {
      throw LedgerError(
        .invalidArguments, "there is no file or folder \(path)",
        remedy: "check the path; - is stdin")
    }
    if isDirectory.boolValue {
      let folder = try PayloadFolder(path)
      self = .payloads(folder.files, others: folder.others)
    } else {
      self = .payloads([path], others: [])
    }
  }

  /// Reads the source to its end.
  func read(named name: String, _ settings: Settings) throws(LedgerError) -> ImportedSource {
    switch self {
    case .payloads(let files, let others):
      return try Self.read(files, others: others, named: name, settings)
    }
  }

  private static func read(
    _ files: [String], others: [String], named name: String, _ settings: Settings
  ) throws(LedgerError) -> ImportedSource {
    var progress = ProgressLine("reading", total: totalBytes(files), unit: .bytes)
    defer { progress.clear() }
    var payloads = try PayloadFiles(timeZoneName: settings.timeZoneName)
    for file in files {
      progress.advance(to: try payloads.add(file, passesOver: files.count > 1))
    }
    let result = try payloads.result(named: name)
    var notes = result.notes
    if !others.isEmpty {
      let more = others.count > 3 ? " and \(others.count - 3) more" : ""
      notes.append(
        "files that are no .json were left out: \(others.prefix(3).joined(separator: ", "))\(more)")
    }
    return ImportedSource(
      kind: .healthAutoExport, name: name, timeZoneName: settings.timeZoneName,
      timeZoneOrigin: settings.isTimeZoneGiven ? .given : .machine, days: result.days,
      units: payloads.count, notes: notes)
  }

  /// Nil where a file does not tell its size.
  private static func totalBytes(_ files: [String]) -> Int? {
    var total = 0
    for file in files {
      let attributes = try? FileManager.default.attributesOfItem(atPath: file)
      guard let size = attributes?[.size] as? Int,
        attributes?[.type] as? FileAttributeType
          == .typeRegular
      else { return nil }
      total += size
    }
    return total
  }
}
