import Foundation

extension OpenedExport {
  /// Opens whatever lies at a path: a zip, a file, a folder, or with `-` the XML that comes through a pipe.
  ///
  /// `first` is what was read of a pipe already.
  static func open(_ path: String, first: [UInt8] = []) throws(ExportError) -> OpenedExport {
    let file =
      path == "-"
      ? try OpenFile(descriptor: 0, path: path, isOwned: false) : try OpenFile.open(path)
    if file.isFolder { return try inFolder(path) }
    guard let size = file.size else { return try fromPipe(file, first: first) }
    let first = try file.start(4)
    if ExportSignature.isZip(first) { return try inZip(file, size: size) }
    return OpenedExport(path: path, entry: nil, chunks: FileChunks(file, first: []))
  }

  /// The one export among the files of a zip.
  private static func inZip(_ file: OpenFile, size: Int64) throws(ExportError) -> OpenedExport {
    let directory = try ZipDirectory(file, size: size)
    var choice = ExportChoice<ZipEntry>(path: file.path)
    for entry in directory.candidates {
      do throws(ExportError) {
        let unpacker = try file.unpacker(of: entry, size: size)
        try choice.look(at: entry, start: try unpacker.start())
      } catch  where error.code != .ambiguous {
        // Another file may be the export; if none is, this is why.
        choice.failure = choice.failure ?? error
      }
    }
    let entry = try choice.chosen(besides: directory)
    file.expectOnePass()
    let unpacker = try file.unpacker(of: entry, size: size)
    return OpenedExport(
      path: file.path, entry: entry.name, chunks: EntryChunks(unpacker),
      electrocardiograms: directory.electrocardiograms)
  }

  /// The export among the files of a folder, or of a folder in it.
  private static func inFolder(_ path: String) throws(ExportError) -> OpenedExport {
    var choice = ExportChoice<OpenFile>(path: path)
    for name in try FolderFiles.candidates(path) {
      // A pipe of that name is not an export, and must not stop the search.
      let file = try OpenFile.open(path + "/" + name)
      guard file.size != nil else { continue }
      try choice.look(at: file, start: file.start(ExportSignature.length))
    }
    let file = try choice.chosen()
    let entry = String(file.path.dropFirst(path.count + 1))
    let folder = path + "/" + entry.split(separator: "/").dropLast().joined(separator: "/")
    return OpenedExport(
      path: path, entry: entry, chunks: FileChunks(file, first: []),
      electrocardiograms: FolderFiles.electrocardiograms(besides: folder))
  }

  /// An export.xml from a pipe. The list of a zip's files stands at its end.
  private static func fromPipe(
    _ file: OpenFile, first: [UInt8]
  ) throws(ExportError) -> OpenedExport {
    let first = first.count < 4 ? first + (try file.start(4 - first.count)) : first
    guard !ExportSignature.isZip(first) else {
      throw ExportError(
        .unsupported, "a zip can't be read from a pipe", path: file.path,
        remedy: "save it in a file, and name that")
    }
    return OpenedExport(path: file.path, entry: nil, chunks: FileChunks(file, first: first))
  }
}

extension OpenFile {
  /// The first bytes, or fewer if the file is shorter; from a pipe they are taken.
  func start(_ count: Int) throws(ExportError) -> [UInt8] {
    if size != nil { return try read(count, at: 0) }
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try read(count - bytes.count)
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }
}

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

/// The files of an unpacked export.
package enum FolderFiles {
  /// Relative paths of the files in a folder, or in a folder of it, that may be the export by their
  /// names, sorted.
  static func candidates(_ path: String) throws(ExportError) -> [String] {
    let names = try names(path)
    var candidates = names.filter(ExportName.mayBeExport)
    // An unpacked zip leaves one folder; what lies deeper is something else.
    for name in names where candidates.count < ZipDirectory.maximumCandidates {
      guard name != "__MACOSX", Self.isFolder(path + "/" + name) else { continue }
      // One that this user can't list is somebody else's.
      candidates += ((try? Self.names(path + "/" + name)) ?? []).map { name + "/" + $0 }
        .filter(ExportName.mayBeExport)
    }
    return candidates
  }

  /// Whether a folder, or a folder of it, has an export by the first bytes of its files. A file that can't
  /// be read may be one: whoever opens the export says why it can't.
  package static func holdsExport(_ path: String) -> Bool {
    // Whoever lists the folder next says why it can't be listed.
    let names = (try? candidates(path)) ?? []
    return names.contains { name in
      do throws(ExportError) {
        let file = try OpenFile.open(path + "/" + name)
        // A pipe of that name is not an export.
        guard file.size != nil else { return false }
        return ExportSignature.matches(try file.start(ExportSignature.length))
      } catch {
        return true
      }
    }
  }

  /// How many electrocardiograms lie in their folder beside an export.
  static func electrocardiograms(besides folder: String) -> Int {
    let path = folder + "/" + ExportName.electrocardiograms
    let names = try? FileManager.default.contentsOfDirectory(atPath: path)
    return names?.count { $0.lowercased().hasSuffix(".csv") } ?? 0
  }

  /// Whether a path is that of a folder, or of a link to one.
  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func names(_ path: String) throws(ExportError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    } catch {
      throw ExportError(
        .notAuthorized, "its files can't be listed", path: path,
        remedy: "give this user the right to read the folder")
    }
  }
}
