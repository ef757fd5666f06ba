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
