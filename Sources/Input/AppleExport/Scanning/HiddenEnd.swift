/// Finds where a comment, a CDATA section or a processing instruction ends, over any number of
/// chunks.
struct HiddenEnd {
  enum Kind {
    case comment
    case characterData
    case instruction
  }

  private let kind: Kind
  /// The two bytes before the next one, as far as they belong to it.
  private var before: (UInt8, UInt8) = (0, 0)

  init(_ kind: Kind) { self.kind = kind }

  /// The place after its end; nil if the chunk is over before.
  mutating func look(from start: Place, to end: Place) -> Place? {
    var place = start
    while true {
      place = ByteSearch.first(Mark.greater, from: place, to: end)
      let count = place - start
      let last = count > 0 ? place[-1] : before.1
      let secondLast = count > 1 ? place[-2] : count == 1 ? before.1 : before.0
      guard place < end else {
        before = (secondLast, last)
        return nil
      }
      if ends(secondLast, last) { return place + 1 }
      place += 1
    }
  }

  /// Whether `>` after these two bytes is the end.
  private func ends(_ secondLast: UInt8, _ last: UInt8) -> Bool {
    switch kind {
    case .comment: secondLast == UInt8(ascii: "-") && last == UInt8(ascii: "-")
    case .characterData: secondLast == UInt8(ascii: "]") && last == UInt8(ascii: "]")
    case .instruction: last == Mark.question
    }
  }
}

/// Finds where the document type declaration ends, over any number of chunks.
///
/// Apple has shipped broken ones, so it is not read: it ends at the first `]>`, or at the
/// `HealthData` element where there is none before. Text in its comments is neither.
struct DocumentTypeEnd {
  /// The last four bytes, the newest in the lowest bits.
  private var last: UInt32 = 0
  private var isInComment = false
  /// How many bytes of `<HealthData` stand before the next byte.
  private var matched = 0

  enum Outcome {
    /// The place after `]>`.
    case ended(Place)
    /// The place after `<HealthData`.
    case element(Place)
    case open
  }

  static let element = Array("<HealthData".utf8)

  mutating func look(from start: Place, to end: Place) -> Outcome {
    var place = start
    while place < end {
      let byte = place.pointee
      let before = UInt8(truncatingIfNeeded: last)
      last = last << 8 | UInt32(byte)
      if isInComment {
        isInComment = last & 0xFF_FFFF != 0x2D_2D3E  // -->
        place += 1
        continue
      }
      if matched == Self.element.count {
        if Mark.isSpace(byte) || byte == Mark.greater || byte == Mark.slash {
          return .element(place)
        }
        matched = 0
      }
      if byte == Mark.greater, before == UInt8(ascii: "]") { return .ended(place + 1) }
      isInComment = last == 0x3C21_2D2D  // <!--
      matched =
        byte == Self.element[matched] ? matched + 1 : byte == Mark.less ? 1 : 0
      place += 1
    }
    return .open
  }
}

/// What markup that begins with `<!` is.
enum Declaration {
  case undecided
  case hidden(HiddenEnd.Kind)
  case documentType
  case other

  init(_ bytes: [UInt8], isBeforeContent: Bool) {
    let kinds: [(StaticString, Declaration)] = [
      ("<!--", .hidden(.comment)), ("<![CDATA[", .hidden(.characterData)),
      ("<!DOCTYPE", isBeforeContent ? .documentType : .other),
    ]
    self = .other
    for (literal, declaration) in kinds {
      let literal = UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
      guard literal.starts(with: bytes) else { continue }
      self = literal.count == bytes.count ? declaration : .undecided
    }
  }
}

extension ExportScanner {
  mutating func pass(_ hidden: HiddenEnd, from start: Place, to end: Place) -> Place {
    var hidden = hidden
    let next = hidden.look(from: start, to: end)
    region = next == nil ? .hidden(hidden) : .text
    return next ?? end
  }

  mutating func pass(_ type: DocumentTypeEnd, from start: Place, to end: Place) -> Place {
    var type = type
    switch type.look(from: start, to: end) {
    case .ended(let next):
      region = .text
      return next
    case .element(let next):
      resume(DocumentTypeEnd.element)
      return next
    case .open:
      region = .documentType(type)
      return end
    }
  }
}

/// Which element the next tag stands in.
///
/// In a well-formed export this follows the elements one by one. Where a tag is missing it recovers
/// by what the format allows: no record or workout holds another, so that a lost end tag does
/// not hide the rest of the file. Correlations, which hold records, are not among its
/// elements (`HeldRecords`).
struct ElementStack {
  enum Element {
    case record
    case workout
    case other

    init(_ name: RawText) {
      switch name.count {
      case 6: self = name.equals("Record") ? .record : .other
      case 7: self = name.equals("Workout") ? .workout : .other
      default: self = .other
      }
    }
  }

  /// How many elements are open, `HealthData` included.
  private(set) var depth = 0
  /// The open child of `HealthData`, if `depth` is over 1.
  private(set) var child = Element.other

  var isInside: Bool { depth > 0 }

  mutating func begin() { depth = 1 }

  mutating func end() { depth = 0 }

  mutating func open(_ element: Element) {
    depth += 1
    if depth == 2 { child = element }
  }

  /// Closes the open child of `HealthData`, whatever is open in it.
  mutating func closeChild() { depth = min(depth, 1) }

  /// Records that an end tag was read whose name is not known. A record or workout closes with the
  /// next one.
  mutating func closeUnnamed() {
    if depth > 2 || depth == 2 && child == .other { depth -= 1 }
  }

  /// Whether an element of this name can stand only in `HealthData`, so that what is open there has
  /// lost its end.
  func mustBeChild(_ name: RawText) -> Bool {
    guard depth > 1, child != .other else { return false }
    switch name.count {
    case 6: return name.equals("Record")
    case 7: return name.equals("Workout")
    case 11: return name.equals("Correlation")
    case 15: return name.equals("ActivitySummary")
    default: return false
    }
  }

  /// Records that an end tag was read. True if it closes the child of `HealthData`.
  mutating func close(_ name: RawText) -> Bool {
    guard depth > 1 else { return false }
    let closesKnown = child != .other && Element(name) == child
    if depth > 2, !closesKnown {
      depth -= 1
      return false
    }
    guard closesKnown || child == .other else { return false }
    depth = 1
    return true
  }
}
