/// Looks for the one export among the files of a zip or folder.
struct ExportChoice<Candidate> {
  let path: String
  private var export: Candidate?
  private var count = 0
  /// Why a file could not be looked into.
  var failure: ExportError?

  init(path: String) { self.path = path }

  /// Looks at a file by its first bytes.
  mutating func look(at candidate: Candidate, start: [UInt8]) throws(ExportError) {
    count += 1
    guard count <= ZipDirectory.maximumCandidates else {
      throw ExportError(
        .ambiguous, "it holds too many .xml files to look into", path: path,
        remedy: "name the export.zip that the Health app made, or the export.xml itself")
    }
    guard ExportSignature.matches(start) else { return }
    guard export == nil else {
      throw ExportError(
        .ambiguous, "it holds more than one export", path: path,
        remedy: "name one of them: a zip of its own, or its export.xml")
    }
    export = candidate
  }

  /// The export; an error that says why there is none.
  func chosen(besides directory: ZipDirectory? = nil) throws(ExportError) -> Candidate {
    guard let export else { throw failure ?? none(besides: directory) }
    return export
  }

  /// That there is no export, and what there is in the zip instead.
  func none(besides directory: ZipDirectory? = nil) -> ExportError {
    if directory?.holdsZip == true {
      return ExportError(
        .notAnExport, "it holds another zip and no export", path: path,
        remedy: "unpack it and name the export.zip in it")
    }
    if directory?.holdsJSON == true {
      return ExportError(
        .notAnExport, "it holds JSON files and no export of the Health app", path: path,
        remedy: "if they are Health Auto Export's, unpack it and name the folder")
    }
    if directory?.holdsCSV == true {
      return ExportError(
        .notAnExport, "it holds CSV files and no export of the Health app", path: path,
        remedy: "if they are Health Auto Export's, export again with the format JSON")
    }
    return ExportError(
      .notAnExport, "none of its files is an export", path: path,
      remedy: "name the export.zip that the Health app made, or the export.xml in it")
  }
}
