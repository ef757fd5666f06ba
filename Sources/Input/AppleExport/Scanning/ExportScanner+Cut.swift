/// Markup that one chunk begins and another ends.
extension ExportScanner {
  /// Keeps the beginning of markup that the chunk cuts off.
  mutating func keep(from start: Place, to end: Place) -> Place {
    begin(with: start.pointee)
    region = .tag(TagEnd())
    return start + 1 == end ? end : resumeTag(TagEnd(), from: start + 1, to: end)
  }

  /// Goes on with the tag in `carry`.
  mutating func resumeTag(_ tagEnd: TagEnd, from start: Place, to end: Place) -> Place {
    if carry.count == 1, dropped == 0 {
      switch start.pointee {
      case Mark.bang:
        carry.append(Mark.bang)
        region = .declaration
        return start + 1
      case Mark.question:
        region = .hidden(HiddenEnd(.instruction))
        return start + 1
      default: break
      }
    }
    var tagEnd = tagEnd
    switch tagEnd.look(from: start, to: end) {
    case .ended(let next):
      grow(from: start, to: next)
      finishTag()
      return next
    case .broken(let next):
      grow(from: start, to: next)
      skipCarried(dropped > 0 ? .tooLarge : .malformed)
      region = .text
      return next
    case .open:
      grow(from: start, to: end)
      region = .tag(tagEnd)
      return end
    }
  }

  /// Decides what a declaration is as soon as its bytes suffice.
  mutating func resumeDeclaration(from start: Place, to end: Place) -> Place {
    carry.append(start.pointee)
    switch Declaration(carry, isBeforeContent: !hasBegun) {
    case .undecided: break
    case .hidden(let hidden): region = .hidden(HiddenEnd(hidden))
    case .documentType: region = .documentType(DocumentTypeEnd())
    case .other:
      carry.removeLast()
      return resumeTag(TagEnd(), from: start, to: end)
    }
    return start + 1
  }

  /// Passes a declaration whose first bytes are in the chunk.
  mutating func passDeclaration(from start: Place) -> Place {
    begin(with: Mark.less)
    carry.append(Mark.bang)
    region = .declaration
    return start + 2
  }

  private mutating func begin(with byte: UInt8) {
    carry.removeAll(keepingCapacity: true)
    carry.append(byte)
    dropped = 0
    lastBytes = (0, byte)
  }

  /// Appends to the tag in `carry`, or only counts once the tag is over the bound.
  private mutating func grow(from start: Place, to end: Place) {
    guard end > start else { return }
    lastBytes = (end - start >= 2 ? end[-2] : lastBytes.1, end[-1])
    if dropped == 0, carry.count + (end - start) <= maximumTagBytes {
      carry.append(contentsOf: UnsafeBufferPointer(start: start, count: end - start))
    } else {
      dropped += end - start
      // Its first two bytes show whether it opens or closes an element.
      if carry.count == 1 { carry.append(start.pointee) }
      if carry.count > 2 { carry.removeSubrange(2...) }
    }
  }

  /// Takes the tag in `carry`, now whole.
  private mutating func finishTag() {
    region = .text
    guard carry.count > 1 else { return }
    let first = carry[1]
    guard dropped == 0 else {
      let start = carry
      return start.withUnsafeBufferPointer {
        let tag = RawText(start: $0.baseAddress, count: $0.count)
        skipTag(.tooLarge, first, isEmpty: lastBytes.0 == Mark.slash, tag)
      }
    }
    // Taken out while it is read, so that nothing else can change it.
    let tag = carry
    carry = []
    tag.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress, first != Mark.bang else { return }
      let end = start + bytes.count
      if takeElement(from: start, to: end) == nil {
        skipTag(.malformed, first, isEmpty: end[-2] == Mark.slash, RawText(start, to: end))
      }
    }
    carry = tag
  }
}

extension ExportScanner {
  /// Counts the tag in `carry` as left out.
  private mutating func skipCarried(_ reason: SkipReason) {
    let tag = carry
    tag.withUnsafeBufferPointer {
      skip(reason, text: RawText(start: $0.baseAddress, count: $0.count))
    }
  }

  /// Goes on after a tag's beginning that stood in an earlier chunk.
  mutating func resume(_ beginning: [UInt8]) {
    carry.removeAll(keepingCapacity: true)
    carry.append(contentsOf: beginning)
    dropped = 0
    lastBytes = (0, beginning.last ?? 0)
    region = .tag(TagEnd())
  }
}

/// A tag that a scan leaves out, while it goes on: what `SkippedExample` is made of.
struct SkippedTag {
  /// Bytes of the export before it.
  let offset: Int
  let text: String

  /// Most characters of a text that are kept.
  private static var longest: Int { 80 }

  init(offset: Int, text: RawText) {
    self.offset = offset
    // A character has up to four bytes; those of more are cut.
    let whole = String(decoding: text.bytes.prefix(4 * Self.longest), as: UTF8.self)
    let isCut = whole.count > Self.longest || text.count > 4 * Self.longest
    self.text = isCut ? whole.prefix(Self.longest - 1) + "…" : whole
  }
}
