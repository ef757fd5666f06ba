/// A tag that a scan left out: the first of its reason.
package struct SkippedExample: Hashable, Sendable {
  /// The line on which the tag begins, from 1; nil where the export came through a pipe.
  package let line: Int?
  /// What could not be read, as written; at most 80 characters and as anybody may have written it.
  package let text: String

  package init(line: Int?, text: String) { (self.line, self.text) = (line, text) }
}
