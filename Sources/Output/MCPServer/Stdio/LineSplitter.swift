/// Splits a stream of bytes into lines of bounded length; pure.
package struct LineSplitter: Sendable {
  package enum Line: Hashable, Sendable {
    /// A line without its newline.
    case whole([UInt8])
    /// A line over the size limit; its bytes were not kept.
    case tooLong
  }

  private let maximumBytes: Int
  private var kept: [UInt8] = []
  private var isTooLong = false

  package init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// The lines that end in this piece of the stream.
  package mutating func take(_ piece: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var rest = piece[...]
    while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
      keep(rest[..<newline])
      lines.append(end())
      rest = rest[(newline + 1)...]
    }
    keep(rest)
    return lines
  }

  /// What follows the last newline at the end of the stream; nil if there is nothing.
  package mutating func last() -> Line? {
    kept.isEmpty && !isTooLong ? nil : end()
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    guard !isTooLong else { return }
    guard kept.count + bytes.count <= maximumBytes else {
      isTooLong = true
      kept = []
      return
    }
    kept += bytes
  }

  private mutating func end() -> Line {
    defer { (kept, isTooLong) = ([], false) }
    return isTooLong ? .tooLong : .whole(kept)
  }
}
