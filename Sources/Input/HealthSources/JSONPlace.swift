internal import HealthModel

/// Where in a JSON text a byte stands, for people (line, column) and for programs (pointer).
struct JSONPlace {
  let offset: Int
  /// One-based.
  let line: Int
  /// One-based, in bytes.
  let column: Int
  /// JSON pointer of the value that holds the byte, as far as the text before it says.
  let pointer: String

  init(offset: Int, in text: [UInt8]) {
    self.offset = offset
    let before = text[..<min(max(offset, 0), text.count)]
    line = 1 + before.count(where: { $0 == UInt8(ascii: "\n") })
    column = 1 + before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
    pointer = Self.pointer(of: before)
  }

  /// The parser's error with this place.
  func sourceError(_ error: JSONError) -> SourceError {
    SourceError(
      .notJSON,
      "the input is not valid JSON: \(error.reason) at byte \(offset) (line \(line), column \(column))",
      at: pointer,
      remedy: "correct the file there, or export it again if it was cut off")
  }

  private enum Frame {
    case object(name: String?)
    case array(index: Int)
  }

  /// Walks the text up to the byte and keeps the names and indices of what is still open.
  private static func pointer(of before: ArraySlice<UInt8>) -> String {
    var open: [Frame] = []
    var index = before.startIndex
    while index < before.endIndex {
      switch before[index] {
      case UInt8(ascii: "\""):
        let start = index + 1
        index = start
        while index < before.endIndex, before[index] != UInt8(ascii: "\"") {
          index += before[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        if case .object(nil) = open.last, index < before.endIndex {
          open[open.count - 1] = .object(
            name: String(decoding: before[start..<index], as: UTF8.self))
        }
      case UInt8(ascii: "{"): open.append(.object(name: nil))
      case UInt8(ascii: "["): open.append(.array(index: 0))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
      case UInt8(ascii: ","):
        switch open.popLast() {
        case .array(let element): open.append(.array(index: element + 1))
        case .object: open.append(.object(name: nil))
        case nil: break
        }
      default: break
      }
      index += 1
    }
    return open.map { frame in
      switch frame {
      case .object(let name): name.map { "/" + $0.pointerToken } ?? ""
      case .array(let index): "/\(index)"
      }
    }.joined()
  }
}
