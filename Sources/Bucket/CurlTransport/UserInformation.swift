import Foundation

/// Hides names and passwords in text from libcurl, such as the address of a proxy that could not be
/// used.
struct UserInformation {
  /// The proxies' addresses in the environment, and the parts of them that may be secret.
  private let known: [[UInt8]]

  /// - Parameter values: the values of the variables that configure proxies.
  init(_ values: [[UInt8]] = Self.variables.compactMap(Self.value)) {
    var known: [[UInt8]] = []
    for value in values {
      guard let at = value.lastIndex(of: UInt8(ascii: "@")) else { continue }
      var user = value[..<at]
      if let slashes = Self.first(Array("://".utf8), in: value), slashes < at {
        user = value[(slashes + 3)..<at]
      }
      // libcurl may show only a part: what it takes for a host or a port, possibly decoded.
      let parts = user.split { ":/?#@".utf8.contains($0) }.map(Array.init)
      known += [value, Array(user)] + parts + ([Array(user)] + parts).compactMap(Self.decoded)
    }
    self.known = known.filter { $0.count >= 4 }.sorted { $0.count > $1.count }
  }

  /// The text without them.
  func hidden(in text: [UInt8]) -> [UInt8] {
    var text = text
    for secret in known {
      text = Self.replacing(secret, in: text)
      // libcurl truncates long texts, so the beginning of a secret may be at their end.
      let length = (4..<secret.count).last {
        text.count >= $0 && text.suffix($0) == secret.prefix($0)
      }
      if let length { text.replaceSubrange((text.count - length)..., with: Self.mark) }
    }
    return text.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: " ") }
      .map(Self.withoutUser).reduce(into: [UInt8]()) { line, word in
        line += (line.isEmpty ? [] : [UInt8(ascii: " ")]) + word
      }
  }

  /// A word without the part before its last `@`. A scheme and an opening quote stay.
  private static func withoutUser(_ word: ArraySlice<UInt8>) -> [UInt8] {
    guard let at = word.lastIndex(of: UInt8(ascii: "@")), at > word.startIndex else {
      return Array(word)
    }
    let start = first(Array("://".utf8), in: Array(word)).map { word.startIndex + $0 + 3 }
    guard let start, start <= at else { return mark + word[at...] }
    return Array(word[..<start]) + mark + word[at...]
  }

  private static let mark = Array("(hidden)".utf8)
  private static let variables = [
    "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
  ]

  private static func value(_ variable: String) -> [UInt8]? {
    getenv(variable).map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  private static func replacing(_ secret: [UInt8], in text: [UInt8]) -> [UInt8] {
    var (done, rest) = ([UInt8](), text)
    while let start = first(secret, in: rest) {
      done += rest[..<start] + mark
      rest = Array(rest[(start + secret.count)...])
    }
    return done + rest
  }

  private static func first(_ part: [UInt8], in text: [UInt8]) -> Int? {
    guard text.count >= part.count else { return nil }
    return (0...(text.count - part.count)).first { text[$0...].starts(with: part) }
  }

  /// `%XX` decoded; nil where there is none.
  private static func decoded(_ text: [UInt8]) -> [UInt8]? {
    guard text.contains(UInt8(ascii: "%")) else { return nil }
    var (bytes, rest) = ([UInt8](), text[...])
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
