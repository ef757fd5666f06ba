/// The header fields of a response as they were received.
///
/// They stay bytes in one buffer; a field becomes text only where somebody asks for it. A server
/// sends fifteen with each answer, of which two or three are read.
package struct HeaderFields: Sendable {
  /// Where a name and its value stand in `bytes`.
  package struct Place: Sendable {
    package let name: Range<Int>
    package let value: Range<Int>

    package init(name: Range<Int>, value: Range<Int>) { (self.name, self.value) = (name, value) }
  }

  package var bytes: [UInt8] = []
  package var places: [Place] = []

  package init() {}

  package init(_ fields: some Collection<HTTPField>) {
    for field in fields {
      let start = bytes.count
      bytes.append(contentsOf: field.name.utf8)
      let colon = bytes.count
      bytes.append(contentsOf: field.value.utf8)
      places.append(Place(name: start..<colon, value: colon..<bytes.count))
    }
  }

  /// The first value of a name. The case of the name is ignored.
  package subscript(name: String) -> String? {
    let length = name.utf8.count
    let place = places.first { place in
      guard place.name.count == length else { return false }
      var next = place.name.lowerBound
      for byte in name.utf8 {
        guard byte.isEqualIgnoringCase(bytes[next]) else { return false }
        next += 1
      }
      return true
    }
    return place.map { text($0.value) }
  }

  /// The declared body length; nil if there is none, `Int.max` if it is too large to represent.
  package var contentLength: Int? {
    guard let value = self["Content-Length"], !value.isEmpty,
      value.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(value) ?? .max
  }

  /// In the order received, with names as the server spelled them.
  package var all: [HTTPField] { places.map { HTTPField(text($0.name), text($0.value)) } }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}

extension String {
  /// Compares ASCII ignoring case, as header names are compared.
  package func caseInsensitiveEqual(_ other: String) -> Bool {
    // Most names differ in their length already.
    guard utf8.count == other.utf8.count else { return false }
    var rest = other.utf8.makeIterator()
    for byte in utf8 {
      guard let next = rest.next(), byte.isEqualIgnoringCase(next) else { return false }
    }
    return true
  }
}

extension UInt8 {
  fileprivate func isEqualIgnoringCase(_ other: UInt8) -> Bool {
    self == other
      || (self | 0x20 == other | 0x20
        && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20))
  }
}
