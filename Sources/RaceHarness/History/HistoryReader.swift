/// Reads a file of histories line by line, so that only one of them is in memory at a time.
package struct HistoryReader {
  private var history: RaceHistory?
  /// The number of lines read so far.
  package private(set) var lines = 0

  package init() {}

  /// Reads the next line, without its newline.
  ///
  /// - Returns: the previous history, if this line begins another one.
  package mutating func take(
    _ line: ArraySlice<UInt8>
  ) throws(HistoryFile.Failure) -> RaceHistory? {
    lines += 1
    guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) else { return nil }
    let reader = try HistoryLine(line, number: lines)
    if history == nil || reader.isHeader {
      let ended = history
      history = try reader.header()
      return ended
    }
    history?.events.append(try reader.event())
    return nil
  }

  /// The last history.
  package mutating func finish() throws(HistoryFile.Failure) -> RaceHistory {
    guard let history else {
      throw HistoryFile.Failure(
        line: max(lines, 1), message: "the file is empty: there is no header")
    }
    self.history = nil
    return history
  }
}
