internal import HealthModel

/// Finds the kind of a record by its `type`, and counts the types that are not read.
struct KindTable {
  private var lastType: [UInt8] = []
  private var lastKind: SampleKind?
  /// Where the last type that is not a kind is counted.
  private var lastUnread = 0
  /// The types that are not read, by name; the first place is that of all further ones.
  private var places: [[UInt8]: Int] = [:]
  private var counts = [0]

  /// Exports hold records type by type, so the last answer mostly serves again.
  @inline(__always)
  mutating func kind(_ type: RawText) -> SampleKind? {
    if type.count == lastType.count, type.bytes.elementsEqualBytes(lastType) { return lastKind }
    return look(up: type)
  }

  private mutating func look(up type: RawText) -> SampleKind? {
    guard type.count <= Self.longest else {
      (lastType, lastKind, lastUnread) = ([], nil, 0)
      return nil
    }
    lastKind = Self.kinds[Array(type.bytes)]
    if lastKind == nil, type.holdsReference {
      lastKind = Self.kinds[AttributeText(type).bytes]
    }
    lastType = Array(type.bytes)
    if lastKind == nil { lastUnread = place(of: type) }
    return lastKind
  }

  private mutating func place(of type: RawText) -> Int {
    let name = AttributeText(type).bytes
    if let place = places[name] { return place }
    guard places.count < Self.mostTypes else { return 0 }
    places[name] = counts.count
    counts.append(0)
    return counts.count - 1
  }

  /// Where a record of the type that was looked at last is counted, or one without a type.
  @inline(__always)
  func unreadPlace(isTyped: Bool) -> Int { isTyped ? lastUnread : 0 }

  /// Counts a record of a type that is not read.
  @inline(__always)
  mutating func countUnread(at place: Int) { counts[place] += 1 }

  /// Counts records that were held back, by their places.
  mutating func addUnread(_ held: [Int: Int]) {
    for (place, count) in held { counts[place] += count }
  }

  /// Records of types that are not read, by type; those without a type, and of types beyond a
  /// thousand, under an empty name.
  var unread: [String: Int] {
    var unread: [String: Int] = [:]
    for (name, place) in places where counts[place] > 0 {
      unread[String(decoding: name, as: UTF8.self), default: 0] += counts[place]
    }
    if counts[0] > 0 { unread["", default: 0] += counts[0] }
    return unread
  }

  /// HealthKit has some two hundred.
  private static var mostTypes: Int { 1000 }

  /// More than the longest identifier, even if it is written in references.
  private static var longest: Int { 512 }

  private static let kinds: [[UInt8]: SampleKind] = {
    var kinds: [[UInt8]: SampleKind] = [:]
    for kind in SampleKind.allCases { kinds[Array(kind.identifier.utf8)] = kind }
    return kinds
  }()
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether both hold the same bytes, for two of one length.
  @inline(__always)
  func elementsEqualBytes(_ other: [UInt8]) -> Bool {
    guard let baseAddress else { return other.isEmpty }
    return other.withUnsafeBytes { other in
      guard let start = other.baseAddress else { return true }
      return compareBytes(baseAddress, start, other.count)
    }
  }
}

/// Words that are not known, each with how often it comes.
package struct UnknownWords: Hashable, Sendable {
  package private(set) var counts: [String: Int] = [:]

  /// Most words that are kept, and the longest of them in bytes.
  private static let mostWords = 100
  private static let longest = 128

  mutating func add(_ text: RawText) {
    let bytes = AttributeText(text).bytes.prefix(Self.longest)
    let word = String(decoding: bytes, as: UTF8.self)
    guard counts[word] != nil || counts.count < Self.mostWords else { return }
    counts[word, default: 0] += 1
  }
}
