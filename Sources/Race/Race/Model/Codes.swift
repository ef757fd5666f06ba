import ContentDigests
import Foundation
import HealthLedger
import HealthModel
import ObjectStore

/// Small numbers for ids, bodies and etags, so that a world is small and fast to hash.
///
/// The bytes behind them are the ledger's own, encoded and decoded once by its code.
struct Codes {
  /// A revision id as a number with the same order; 0 means none.
  typealias ID = Int
  /// The content of the pointer object: 0 for none, `corrupt`, or the id that it names.
  typealias PointerCode = Int

  static let corrupt: PointerCode = -1

  let date: CalendarDate
  /// What is known of each body, by its code.
  private var bodies = [Body()]
  private var bodyCodes: [[UInt8]: Int] = [:]
  /// Bodies under further ids: what a document says is held against its id.
  private var copies: [Place: RevisionReading] = [:]
  /// The words of the writers, in their order.
  var words: [Word] = []
  private var readings: [PointerCode: PointerReading] = [:]
  private var etags: [ETag: PointerCode] = [:]

  init(date: CalendarDate) { self.date = date }

  /// The code of an id: its moment, then 24 bits of its suffix; in the calendar's last second, how far it is
  /// above the least id there.
  static func id(_ moment: Timestamp, entropy: Int) -> ID {
    moment.secondsSince1970 << 24 | entropy
  }

  static func id(_ id: RevisionID) -> ID {
    let base = id.timestamp == .last ? 22 : 16
    let suffix = Int(id.rawValue.utf8.suffix(6).reduce(0) { $0 * base + digit($1) })
    return Self.id(id.timestamp, entropy: suffix)
  }

  static func revisionID(_ code: ID) -> RevisionID {
    let (moment, entropy) = (moment(code), entropy(code))
    guard moment == .last, entropy > 0 else { return RevisionID(at: moment, entropy: entropy) }
    let least = RevisionID(at: moment, entropy: 0)
    return least.next(adding: entropy - 1) ?? least
  }

  static func moment(_ code: ID) -> Timestamp { Timestamp(secondsSince1970: code >> 24) }

  static func entropy(_ code: ID) -> UInt32 { UInt32(truncatingIfNeeded: code & 0xFF_FFFF) }

  private static func digit(_ byte: UInt8) -> Int {
    Int(byte) - (byte < UInt8(ascii: "A") ? 48 : byte < UInt8(ascii: "a") ? 55 : 81)
  }

  /// A revision's bytes, which are decoded once.
  private struct Body {
    var reading = RevisionReading.absent
    var isReadable = false
    /// The writers whose words it has, a bit for each.
    var told = 0
    var words = DayWords()
    /// The id under which it was written first; equal bytes may be written under others.
    var id: RevisionID?
    var parent: ID = 0
  }

  /// The code of the bytes of a revision: positive, and equal for equal bytes.
  mutating func body(_ bytes: [UInt8], _ id: RevisionID) -> Int {
    if let known = bodyCodes[bytes] { return known }
    var body = Body(reading: .found(bytes, lastModified: nil), id: id)
    if let revision = body.reading.decoded(date: date, id: id)?.revision {
      body.isReadable = true
      (body.told, body.words) = (told(in: revision), revision.allWords)
      body.parent = revision.parent.map(Self.id) ?? 0
    }
    bodies.append(body)
    bodyCodes[bytes] = bodies.count - 1
    return bodies.count - 1
  }

  /// Which words a revision has, whenever they were captured: a wrong clock limits that.
  private func told(in revision: DailyRevision) -> Int {
    words.indices.reduce(0) { told, place in
      let word = words[place]
      let isThere = revision.words.all.contains {
        $0.source == word.source && $0.readings == word.readings
      }
      return isThere ? told | 1 << place : told
    }
  }

  /// The writers whose words a body has.
  func told(_ body: Int) -> Int { bodies[body].told }

  /// Whether a body has the words of another one, those that were captured last among them.
  func hasWords(_ body: Int, of other: Int) -> Bool {
    let words = bodies[body].words
    return body == other || words.joined(bodies[other].words) == words
  }

  /// The id that a body was joined with; 0 for none.
  func parent(_ body: Int) -> ID { bodies[body].parent }

  /// Whether a body is that of a readable revision.
  func isReadable(_ body: Int) -> Bool { bodies[body].isReadable }

  /// A fingerprint of a body for histories: SHA-256 in hex.
  func digest(_ body: Int) -> String { ContentDigest.hex(of: bodies[body].reading.body ?? []) }

  /// The result of reading a revision under an id; 0 means no object.
  mutating func revision(_ body: Int, _ code: ID) -> RevisionReading {
    let id = Self.revisionID(code)
    guard body > 0, bodies[body].id != id else { return bodies[body].reading }
    let place = Place(body: body, id: code)
    if let known = copies[place] { return known }
    let reading = RevisionReading.found(bodies[body].reading.body ?? [], lastModified: nil)
    copies[place] = reading
    return reading
  }

  private struct Place: Hashable {
    let body: Int
    let id: ID
  }

  /// The result of reading the pointer.
  mutating func pointer(_ code: PointerCode) -> PointerReading {
    if let known = readings[code] { return known }
    let reading: PointerReading
    if code == 0 {
      reading = .absent
    } else {
      let body =
        code == Self.corrupt
        ? Array("{\"date\":".utf8)
        : LatestPointer(date: date, revisionID: Self.revisionID(code)).encoded
      let etag = ETag(digestOf: body)
      etags[etag] = code
      reading = PointerReading(StoredObject(body: body, etag: etag), date: date)
    }
    readings[code] = reading
    return reading
  }

  /// The code of the pointer with this etag.
  func pointerCode(_ etag: ETag) -> PointerCode? { etags[etag] }
}
