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

  /// The export; an error that tells why there is none.
  func chosen(holdsZip: Bool) throws(ExportError) -> Candidate {
    guard let export else { throw failure ?? none(holdsZip: holdsZip) }
    return export
  }

  func none(holdsZip: Bool) -> ExportError {
    holdsZip
      ? ExportError(
        .notAnExport, "it holds another zip and no export", path: path,
        remedy: "unpack it and name the export.zip in it")
      : ExportError(
        .notAnExport, "none of its files is an export", path: path,
        remedy: "name the export.zip that the Health app made, or the export.xml in it")
  }
}
