extension OpenedExport {
  /// Opens whatever lies at a path.
  static func open(_ path: String) throws(ExportError) -> OpenedExport {
    let file =
      path == "-"
      ? try InputFile(descriptor: 0, path: path, isOwned: false) : try InputFile.open(path)
    return OpenedExport(path: path, entry: nil, chunks: FileChunks(file, first: []))
  }
}
