/// A tag that a scan left out: the first of its reason.
package struct SkippedExample: Hashable, Sendable {
  /// The line on which the tag begins, from 1; nil where the export came through a pipe.
  package let line: Int?
  /// What could not be read, as written; at most 80 characters and as anybody may have written it.
  package let text: String

  package init(line: Int?, text: String) { (self.line, self.text) = (line, text) }
}

/// The same while the export is scanned.
struct SkippedTag {
  /// Bytes of the export before it.
  let offset: Int
  let text: String

  /// Most characters of a text that are kept.
  private static var longest: Int { 80 }

  init(offset: Int, text: RawText) {
    self.offset = offset
    // A character has up to four bytes; those of more are cut.
    let whole = String(decoding: text.bytes.prefix(4 * Self.longest), as: UTF8.self)
    let isCut = whole.count > Self.longest || text.count > 4 * Self.longest
    self.text = isCut ? whole.prefix(Self.longest - 1) + "…" : whole
  }
}
