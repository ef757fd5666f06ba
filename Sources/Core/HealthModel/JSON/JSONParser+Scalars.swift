/// Numbers and strings within R13's bounds.
extension JSONParser {
  /// A number as RFC 8259 spells it, rounded to the nearest double; the offset is at its first byte.
  mutating func number() throws(JSONError) -> Double {
    let start = offset
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    guard let number = Double(text), number.isFinite else {
      throw JSONError(.numberRange, at: start, "a number beyond the range of a double")
    }
    return number
  }

  private mutating func digits() throws(JSONError) {
    let start = offset
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    guard offset > start else { throw JSONError(.syntax, at: offset, "a digit expected") }
  }

  /// A string; the offset is at its opening quote.
  mutating func string() throws(JSONError) -> String {
    let opening = offset
    offset += 1
    var text: [UInt8] = []
    skipPlainCharacters()
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        let body = text.isEmpty ? bytes[(opening + 1)..<offset] : text[...]
        offset += 1
        return String(decoding: body, as: UTF8.self)
      case UInt8(ascii: "\\"):
        // Only now is a copy needed: a string without escapes is decoded where it stands.
        if text.isEmpty { text = Array(bytes[(opening + 1)..<offset]) }
        try escape(into: &text)
      case 0..<0x20:
        throw JSONError(.syntax, at: offset, "a control character in a string")
      default:
        let length = byte < 0x80 ? 1 : try multibyteLength()
        if !text.isEmpty { text.append(contentsOf: bytes[offset..<(offset + length)]) }
        offset += length
      }
    }
    throw JSONError(.syntax, at: opening, "a string without a closing quote")
  }

  /// Steps over the ASCII that stands for itself, which is all of most strings.
  private mutating func skipPlainCharacters() {
    var end = offset
    while end < bytes.count {
      let byte = bytes[end]
      guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
        break
      }
      end += 1
    }
    offset = end
  }

  /// The length of the well-formed UTF-8 sequence at the offset (Unicode, table 3-7).
  private func multibyteLength() throws(JSONError) -> Int {
    let lead = bytes[offset]
    let second: ClosedRange<UInt8>
    let length: Int
    switch lead {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw JSONError(.encoding, at: offset, "a byte that is not UTF-8")
    }
    guard offset + length <= bytes.count, second.contains(bytes[offset + 1]),
      bytes[(offset + 2)..<(offset + length)].allSatisfy({ (0x80...0xBF).contains($0) })
    else { throw JSONError(.encoding, at: offset, "a byte that is not UTF-8") }
    return length
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    let start = offset
    offset += 1
    let byte = peek
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte ?? 0)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      let scalar = try escapedScalar(from: start)
      text.append(contentsOf: Array(String(scalar).utf8))
    default: throw JSONError(.syntax, at: start, "an escape that JSON does not have")
    }
  }

  private mutating func escapedScalar(from start: Int) throws(JSONError) -> Unicode.Scalar {
    var code = try hexQuad(from: start)
    if (0xD800...0xDBFF).contains(code), take("\\") {
      guard take("u") else { throw JSONError(.loneSurrogate, at: start, "half a surrogate pair") }
      let low = try hexQuad(from: offset - 2)
      guard (0xDC00...0xDFFF).contains(low) else {
        throw JSONError(.loneSurrogate, at: start, "half a surrogate pair")
      }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else {
      throw JSONError(.loneSurrogate, at: start, "half a surrogate pair")
    }
    return scalar
  }

  private mutating func hexQuad(from start: Int) throws(JSONError) -> UInt32 {
    guard offset + 4 <= bytes.count else {
      throw JSONError(.syntax, at: start, "an escape without its four hex digits")
    }
    var code: UInt32 = 0
    for byte in bytes[offset..<(offset + 4)] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw JSONError(.syntax, at: start, "an escape without its four hex digits")
      }
      code = code << 4 | UInt32(digit)
    }
    offset += 4
    return code
  }
}
