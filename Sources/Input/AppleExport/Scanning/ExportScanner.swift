package import HealthModel

/// Reads an export chunk by chunk, however it is cut, and reports what it finds in typed values.
///
/// A pure machine: it opens nothing and keeps no chunk. Between chunks it holds at most one tag cut
/// in two (`maximumTagBytes`), the names of sources, and the findings not yet taken. Whatever the
/// bytes are, it goes on: what it can't read is counted as skipped and never stops it.
package struct ExportScanner {
  /// What was found since they were last removed; the caller empties it after each chunk.
  package var findings: [ExportFinding] = []
  /// Top-level `Record` elements so far, of every type.
  package internal(set) var recordCount = 0
  /// Whether the `HealthData` element has begun: without it the file is not an export.
  package internal(set) var hasBegun = false
  /// Whether `</HealthData>` was read: without it the file was cut short.
  package internal(set) var isComplete = false

  /// Longer tags are skipped and counted.
  let maximumTagBytes: Int

  /// What the next byte belongs to.
  enum Region {
    case text
    /// A tag whose beginning is in `carry`.
    case tag(TagEnd)
    /// A declaration whose beginning is in `carry`, too short to show its kind.
    case declaration
    case hidden(HiddenEnd)
    case documentType(DocumentTypeEnd)
  }

  var region = Region.text
  /// The beginning of a tag that goes on in the next chunk.
  var carry: [UInt8] = []
  /// Bytes of that tag that were dropped because it is too large.
  var dropped = 0
  /// The last two bytes of that tag: `/>` says that the element is empty.
  var lastBytes: (UInt8, UInt8) = (0, 0)

  var elements = ElementStack()
  /// What a correlation holds; nil outside.
  var held: HeldRecords?
  var kinds = KindTable()
  /// How many elements there are of those whose samples are not read, by name.
  package internal(set) var others: [String: Int] = [:]
  /// The values of categories that are not known, as they are written.
  package internal(set) var unknownCategories = UnknownWords()
  /// The units that are not known, as they are written.
  package internal(set) var unknownUnits = UnknownUnits()
  var units = UnitTable()
  var sources = SourceNumbers()
  var zones = ZoneNames()
  var activities = ZoneNames()
  var dates = DateReading()
  /// Of each reason the first tag that was left out.
  var examples: [SkipReason: SkippedTag] = [:]
  /// Seconds that the export's dates are ahead of UTC; nil where it has no date of its own.
  package internal(set) var exportOffset: Int64?
  /// Bytes of the chunks before this one, and where in the export the tag begins that is looked at.
  private var bytesBefore = 0
  var tagOffset = 0
  /// The record or workout whose end tag has not been read.
  var openSample: ExportSample?
  var openWorkout: OpenWorkout?

  /// No export has a tag of a hundredth of the usual bound.
  package init(maximumTagBytes: Int = 1 << 20) { self.maximumTagBytes = maximumTagBytes }

  /// Reads the next bytes of the export.
  package mutating func scan(_ chunk: UnsafeRawBufferPointer) {
    // Bytes are bound for the length of this call only, and read, never written.
    chunk.withMemoryRebound(to: UInt8.self) { bytes in
      guard let start = bytes.baseAddress else { return }
      scan(from: start, to: start + bytes.count)
    }
  }

  private mutating func scan(from start: Place, to end: Place) {
    var place = start
    let base = bytesBefore - Int(bitPattern: start)
    bytesBefore += end - start
    while place < end {
      switch region {
      case .text: place = scanText(from: place, to: end, base: base)
      case .tag(let tagEnd): place = resumeTag(tagEnd, from: place, to: end)
      case .declaration: place = resumeDeclaration(from: place, to: end)
      case .hidden(let hidden): place = pass(hidden, from: place, to: end)
      case .documentType(let type): place = pass(type, from: place, to: end)
      }
    }
  }

  /// Goes from tag to tag until a chunk ends or something other than a tag comes.
  private mutating func scanText(from start: Place, to end: Place, base: Int) -> Place {
    var place = start
    while place < end {
      place = ByteSearch.first(Mark.less, from: place, to: end)
      guard place < end else { return end }
      tagOffset = base &+ Int(bitPattern: place)
      guard end - place >= Self.shortestLook else { return keep(from: place, to: end) }
      switch place[1] {
      case Mark.bang: return passDeclaration(from: place)
      case Mark.question:
        region = .hidden(HiddenEnd(.instruction))
        return place + 2
      default:
        if let next = takeElement(from: place, to: end) {
          place = next
        } else {
          var tagEnd = TagEnd()
          switch tagEnd.look(from: place + 1, to: end) {
          case .ended(let next):
            let tag = RawText(place, to: next)
            skipTag(reason(place, next), place[1], isEmpty: next[-2] == Mark.slash, tag)
            place = next
          case .broken(let next):
            skip(reason(place, next), text: RawText(place, to: next))
            place = next
          case .open: return keep(from: place, to: end)
          }
        }
      }
    }
    return place
  }

  /// Why a tag that could not be taken is left out.
  private func reason(_ start: Place, _ end: Place) -> SkipReason {
    end - start > maximumTagBytes ? .tooLarge : .malformed
  }

  /// Bytes that distinguish one kind of markup from another: those of `<![CDATA[`.
  private static var shortestLook: Int { 9 }

  /// Counts a tag of the content that is left out; `text` is what could not be read.
  mutating func skip(_ reason: SkipReason, _ kind: SampleKind? = nil, text: RawText) {
    guard elements.isInside else { return }
    report(.skipped(reason, kind))
    keepExample(reason, text: text)
  }

  /// Counts a tag that is left out but whose end was found; `first` is the byte after its `<`.
  mutating func skipTag(
    _ reason: SkipReason, _ first: UInt8, isEmpty: Bool, _ tag: RawText
  ) {
    skip(reason, text: tag)
    guard elements.isInside, first != Mark.bang else { return }
    if first == Mark.slash {
      elements.closeUnnamed()
    } else if !isEmpty {
      elements.open(.other)
    }
  }
}
