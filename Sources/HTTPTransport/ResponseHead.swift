import HTTPMessage

/// A response's status and header fields, parsed line by line with limits on size and number.
struct ResponseHead {
  /// What a line means for the transfer.
  enum Step: Equatable {
    case more
    /// The blank line after the final response's fields.
    case complete
    case malformed
    case tooLarge
  }

  static let maximumBytes = 128 << 10
  static let maximumFields = 512

  private(set) var status = 0
  /// Whether the connection can carry other exchanges at the same time, as in HTTP/2.
  private(set) var isMultiplexed = false
  private(set) var fields: [HTTPField] = []
  private(set) var isComplete = false
  /// The size of the whole head, including interim responses and trailers, so that none of them can
  /// be endless.
  private var bytes = 0

  /// Parses one line with its line break.
  mutating func take(_ line: some BidirectionalCollection<UInt8>) -> Step {
    bytes += line.count
    guard bytes <= Self.maximumBytes else { return .tooLarge }
    let text = line.trimmed
    if text.isEmpty && !isComplete {
      // A 1xx response comes before the final one.
      isComplete = status >= 200
      return isComplete ? .complete : .more
    }
    // S3's answers have no trailers, so these are counted but not kept.
    guard !isComplete else { return .more }
    if text.starts(with: "HTTP/".utf8) { return startResponse(text) }
    if let first = line.first, first == 0x20 || first == 0x09 { return continueField(text) }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex else {
      return .malformed
    }
    guard fields.count < Self.maximumFields else { return .tooLarge }
    fields.append(
      HTTPField(
        String(decoding: text[..<colon].trimmed, as: UTF8.self),
        String(decoding: text[text.index(after: colon)...].trimmed, as: UTF8.self)))
    return .more
  }

  /// The declared body length; nil if there is none, `Int.max` if it is too large to represent.
  var contentLength: Int? {
    guard let field = fields.first(where: { $0.name.caseInsensitiveEqual("Content-Length") }),
      !field.value.isEmpty, field.value.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(field.value) ?? .max
  }

  /// Parses `HTTP/1.1 200 OK`. The reason phrase may be absent.
  private mutating func startResponse(_ text: some BidirectionalCollection<UInt8>) -> Step {
    let code = text.drop { $0 != 0x20 }.dropFirst().prefix(3)
    guard code.count == 3, let value = Int(String(decoding: code, as: UTF8.self)), value >= 100
    else { return .malformed }
    status = value
    isMultiplexed = !text.starts(with: "HTTP/1.".utf8)
    fields.removeAll(keepingCapacity: true)
    return .more
  }

  /// Appends an obsolete folded line to the previous field.
  private mutating func continueField(_ text: some BidirectionalCollection<UInt8>) -> Step {
    guard let last = fields.popLast() else { return .malformed }
    fields.append(HTTPField(last.name, last.value + " " + String(decoding: text, as: UTF8.self)))
    return .more
  }
}

extension BidirectionalCollection<UInt8> {
  /// Without blanks and line breaks at both ends.
  fileprivate var trimmed: SubSequence {
    func isBlank(_ byte: UInt8) -> Bool {
      byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
    }
    var (start, end) = (startIndex, endIndex)
    while start != end, isBlank(self[start]) { formIndex(after: &start) }
    while start != end {
      let last = index(before: end)
      guard isBlank(self[last]) else { break }
      end = last
    }
    return self[start..<end]
  }
}
