/// Splits a command line into words as a POSIX shell does, and as aws-cli splits
/// `credential_process`: quotes and backslashes only, no variables, patterns or pipes.
enum ShellWords {
  /// The words, or nil where a quote or escape is not closed.
  static func split(_ line: String) -> [String]? {
    var words: [String] = []
    var word: [UInt8]?
    var quote: UInt8?
    var bytes = line.utf8.makeIterator()
    while let byte = bytes.next() {
      switch (quote, byte) {
      case (nil, 0x20), (nil, 0x09), (nil, 0x0A), (nil, 0x0D):
        if let complete = word { words.append(String(decoding: complete, as: UTF8.self)) }
        word = nil
      case (nil, UInt8(ascii: "'")), (nil, UInt8(ascii: "\"")):
        quote = byte
        word = word ?? []
      case (let open?, _) where byte == open:
        quote = nil
      case (nil, UInt8(ascii: "\\")):
        guard let next = bytes.next() else { return nil }
        word = (word ?? []) + [next]
      case (UInt8(ascii: "\"")?, UInt8(ascii: "\\")):
        guard let next = bytes.next() else { return nil }
        let isEscape = next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\")
        word = (word ?? []) + (isEscape ? [next] : [byte, next])
      default:
        word = (word ?? []) + [byte]
      }
    }
    guard quote == nil else { return nil }
    if let complete = word { words.append(String(decoding: complete, as: UTF8.self)) }
    return words
  }
}
