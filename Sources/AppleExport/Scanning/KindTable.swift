/// Tells the kind of a record by its `type`.
struct KindTable {
  private var lastType: [UInt8] = []
  private var lastKind: SampleKind?

  /// Exports hold records type by type, so the last answer mostly serves again.
  @inline(__always)
  mutating func kind(_ type: RawText) -> SampleKind? {
    if type.count == lastType.count, type.bytes.elementsEqualBytes(lastType) { return lastKind }
    return look(up: type)
  }

  private mutating func look(up type: RawText) -> SampleKind? {
    guard type.count <= Self.longest else { return nil }
    lastKind = Self.kinds[Array(type.bytes)]
    if lastKind == nil, type.holdsReference {
      lastKind = Self.kinds[AttributeText(type).bytes]
    }
    lastType = Array(type.bytes)
    return lastKind
  }

  /// More than the longest identifier, be it written in references.
  private static var longest: Int { 512 }

  private static let kinds: [[UInt8]: SampleKind] = {
    var kinds: [[UInt8]: SampleKind] = [:]
    for kind in SampleKind.allCases { kinds[Array(kind.identifier.utf8)] = kind }
    return kinds
  }()
}

extension SampleKind {
  /// Whether its samples say one of several values, and not how much.
  package var isCategory: Bool {
    switch self {
    case .appleStandHour, .sleepAnalysis, .mindfulSession: true
    default: false
    }
  }

  /// The `type` of its records.
  package var identifier: String {
    let name = "\(self)"
    let capitalised = self == .vo2Max ? "VO2Max" : name.prefix(1).uppercased() + name.dropFirst()
    return (isCategory ? "HKCategoryTypeIdentifier" : "HKQuantityTypeIdentifier") + capitalised
  }
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
