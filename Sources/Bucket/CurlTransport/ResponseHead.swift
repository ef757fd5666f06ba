import HTTPClient

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
  private(set) var fields = HeaderFields()
  private(set) var isComplete = false
  /// The size of the whole head, including interim responses and trailers, so that none of them can
  /// be endless.
  private var bytes = 0

  /// Parses one line with its line break.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Step {
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
    if text.starts(with: "HTTP/") { return startResponse(text) }
    if let first = line.first, first == 0x20 || first == 0x09 {
      // An obsolete folded line belongs to the field before it.
      return fields.extendLast(with: text) ? .more : .malformed
    }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return .malformed }
    guard fields.places.count < Self.maximumFields else { return .tooLarge }
    fields.append(
      name: UnsafeRawBufferPointer(rebasing: text[..<colon]).trimmed,
      value: UnsafeRawBufferPointer(rebasing: text[(colon + 1)...]).trimmed)
    return .more
  }

  /// Parses `HTTP/1.1 200 OK`. The reason phrase may be absent.
  private mutating func startResponse(_ text: UnsafeRawBufferPointer) -> Step {
    let code = text.drop { $0 != 0x20 }.dropFirst().prefix(3)
    guard code.count == 3, let value = Int(String(decoding: code, as: UTF8.self)), value >= 100
    else { return .malformed }
    status = value
    isMultiplexed = !text.starts(with: "HTTP/1.")
    fields.removeAll()
    return .more
  }
}

extension HeaderFields {
  fileprivate mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    if places.isEmpty {
      // An answer's fields usually fit, so that neither buffer moves.
      places.reserveCapacity(24)
      bytes.reserveCapacity(1024)
    }
    let start = bytes.count
    bytes.append(contentsOf: name)
    bytes.append(contentsOf: value)
    let colon = start + name.count
    places.append(Place(name: start..<colon, value: colon..<bytes.count))
  }

  /// Appends a blank and more text to the last value. Returns false if there is no field yet.
  fileprivate mutating func extendLast(with text: UnsafeRawBufferPointer) -> Bool {
    guard let last = places.popLast() else { return false }
    bytes.append(0x20)
    bytes.append(contentsOf: text)
    places.append(Place(name: last.name, value: last.value.lowerBound..<bytes.count))
    return true
  }

  fileprivate mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }
}

extension UnsafeRawBufferPointer {
  /// Without blanks and line breaks at both ends.
  fileprivate var trimmed: UnsafeRawBufferPointer {
    func isBlank(_ byte: UInt8) -> Bool {
      byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
    }
    var (start, end) = (0, count)
    while start < end, isBlank(self[start]) { start += 1 }
    while start < end, isBlank(self[end - 1]) { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }

  fileprivate func starts(with prefix: StaticString) -> Bool {
    count >= prefix.utf8CodeUnitCount
      && (0..<prefix.utf8CodeUnitCount).allSatisfy { self[$0] == prefix.utf8Start[$0] }
  }
}
