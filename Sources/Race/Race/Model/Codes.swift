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
  private var bodies: [[UInt8]] = [[]]
  private var bodyCodes: [[UInt8]: Int] = [:]
  /// The payload of each body, by its code; see `payload`.
  private var payloads = [0]
  private var payloadCodes: [[UInt8]: Int] = [:]
  /// The writers whose words each body has, a bit for each; and its parent.
  private var told = [0]
  private var parents: [ID] = [0]
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

  /// The code of a revision's bytes: positive, and equal for equal bytes.
  mutating func body(_ bytes: [UInt8]) -> Int {
    if let known = bodyCodes[bytes] { return known }
    let decoded = DailyRevision.decode(bytes, date: date, boundaries: .asWritten)
    bodies.append(bytes)
    told.append(decoded.revision.map { told(in: $0) } ?? 0)
    parents.append(decoded.revision?.parent.map(Self.id) ?? 0)
    payloads.append(decoded.revision.map { payload(of: $0) } ?? 0)
    bodyCodes[bytes] = bodies.count - 1
    return bodies.count - 1
  }

  /// The code of a revision's content without `generated_at`: positive, and equal for equal
  /// payloads.
  mutating func payload(of revision: DailyRevision) -> Int {
    let bytes = revision.payload
    if let known = payloadCodes[bytes] { return known }
    payloadCodes[bytes] = payloadCodes.count + 1
    return payloadCodes.count
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
  func told(_ body: Int) -> Int { told[body] }

  /// The id that a body was joined with; 0 for none.
  func parent(_ body: Int) -> ID { parents[body] }

  /// The code of a body's payload; 0 if it is not a valid revision, or absent.
  func payload(_ body: Int) -> Int { payloads[body] }

  /// A fingerprint of a body for histories: SHA-256 in hex.
  func digest(_ body: Int) -> String { ContentDigest.hex(of: bodies[body]) }

  /// The result of reading a revision; 0 means no object.
  func revision(_ body: Int) -> RevisionReading {
    body == 0 ? .absent : .found(bodies[body], lastModified: nil)
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
