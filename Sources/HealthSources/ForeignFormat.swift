/// Files that people are likely to give by mistake, told by their first bytes.
package enum ForeignFormat {
  /// Whether a file with these first bytes can only be Apple Health's export: a zip, or XML.
  package static func isExport(_ head: [UInt8]) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = head.starts(with: mark) ? head[3...] : head[...]
    return head.starts(with: [0x50, 0x4B, 0x03, 0x04])
      || head.starts(with: [0x50, 0x4B, 0x05, 0x06])
      || text.first(where: { !isBlank($0) }) == UInt8(ascii: "<")
  }

  /// Throws for an input that is empty, too large, or a file of another known kind.
  static func refuse(_ bytes: [UInt8]) throws(SourceError) {
    guard bytes.count <= SourceDocument.maximumBytes else {
      throw SourceError(
        .tooLarge,
        "the input has \(bytes.count) bytes, more than the \(SourceDocument.maximumBytes) allowed",
        remedy: "export fewer days at a time")
    }
    guard let first = bytes.first(where: { !isBlank($0) }) else {
      throw SourceError(
        .empty, bytes.isEmpty ? "the input has no bytes" : "the input has only blanks",
        remedy: "check the file, or the command before the pipe")
    }
    if let format = name(bytes, first: first) {
      throw SourceError(.foreignFormat, format.what, remedy: format.remedy)
    }
  }

  private static func name(
    _ bytes: [UInt8], first: UInt8
  ) -> (what: String, remedy: String)? {
    let archive =
      "if it is Apple Health's export: s3health import FILE, or put --date DATE --from-export FILE"
    let json = "export JSON from Health Auto Export, or give a metrics JSON"
    if bytes.starts(with: Array("bvx".utf8)) {
      return (
        "the input is an LZFSE-compressed file, as Health Auto Export's iCloud AutoSync writes "
          + "(.hae); such files can't be read",
        "use a manual export or an automation with the format JSON instead of .hae files"
      )
    }
    if bytes.starts(with: [0x50, 0x4B]), isExport(bytes) {
      return (
        "the input is a zip archive", archive
      )
    }
    if bytes.starts(with: [0x1F, 0x8B]) {
      return ("the input is compressed with gzip", "decompress it first (gzip -dc)")
    }
    if bytes.starts(with: Array("bplist".utf8)) {
      return ("the input is a binary property list, not JSON", json)
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return ("the input is UTF-16 text", "save it as UTF-8")
    }
    if isExport(bytes) {
      return (
        "the input is XML", archive
      )
    }
    return nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
