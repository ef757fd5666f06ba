public import HealthModel

/// A batch as it is stored: entries of one stream, device and UTC date (R46).
public struct StoredBatch: Hashable, Sendable {
  /// SHA-256 of the batch's four members in canonical JSON.
  public let id: String
  /// When it was first received, by the receiver's clock.
  public var receivedAt: Timestamp { order.timestamp }
  /// The same, to the microsecond: what was received later comes after it (R45).
  package let order: PreciseMoment
  /// Where the entries came from, such as `outbox`.
  public let feed: String
  /// The run in which it was stored: with it, what it says can be taken back (SPEC.md, "Runs and undo"); nil
  /// where that is not known.
  public let run: RunID?
  /// The stream, device, session and entries.
  public let request: IngestRequest

  /// The entries in their order.
  public var entries: [StreamEntry] { request.entries }

  /// The value of `format`.
  static let format = "streams.v0"
  /// The version of the rules for canonical JSON and for rounding.
  static let canonicaliser = 1.0
  /// The most bytes of the unpacked object: the body's, and room for the other members.
  static let maximumBytes = SealedBatch.maximumBytes + 1024
  /// The most bytes of the packed object. Gzip adds little to what it can't make smaller.
  static let maximumPackedBytes = maximumBytes + 65_536

  /// The unpacked object that stores a sealed body, in pieces: the body's members and, outside the
  /// digest, format, id, time of receipt, feed, run and the canonicaliser's version. Canonical JSON.
  static func pieces(
    of batch: SealedBatch, feed: String, receivedAt: PreciseMoment, run: RunID? = nil
  ) -> [ArraySlice<UInt8>] {
    // The body is canonical: {"batch_metadata":..,"data":..,"device_id":"..","stream_name":".."}.
    // The further members have their places in order between these. The device's id and the
    // stream's name have no character that JSON escapes, so the places are found from the end.
    let tail = #","stream_name":"\#(batch.stream.rawValue)"}"#
    let device = #","device_id":"\#(batch.deviceID)""#
    let end = batch.body.count - tail.utf8.count - device.utf8.count
    let dataStart = BatchBody.metadataEnd(batch.body)
    return [
      ArraySlice(#"{"batch_id":"\#(batch.id)","batch_metadata":"#.utf8),
      batch.body[BatchBody.start.count..<dataStart],
      ArraySlice(#","canonicaliser":1"#.utf8),
      batch.body[dataStart..<end],
      ArraySlice(device.utf8),
      ArraySlice(#","feed":"#.utf8) + JSONValue.string(feed).canonicalBytes,
      ArraySlice(#","format":"\#(format)","received_at":"\#(receivedAt)""#.utf8),
      ArraySlice((run.map { #","run":"\#($0)""# } ?? "").utf8),
      ArraySlice(tail.utf8),
    ]
  }

  /// The unpacked object, in canonical JSON.
  public var object: [UInt8] {
    let batch = SealedBatch(
      id: id, stream: request.stream, deviceID: request.deviceID, recordCount: entries.count,
      body: request.value.canonicalBytes)
    return Array(Self.pieces(of: batch, feed: feed, receivedAt: order, run: run).joined())
  }

  /// Reads and checks an unpacked object.
  init(parsing bytes: [UInt8]) throws(BatchFault) {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes, maximumDepth: IngestRequest.maximumDepth)
    } catch {
      throw BatchFault(.notJSON, "the object is not JSON: \(error)")
    }
    guard case .object(var members) = value else {
      throw BatchFault(.notJSON, "the object is not a JSON object")
    }
    guard members["format"] == .string(Self.format) else {
      throw BatchFault(.notABatch, "\"format\" is not \"\(Self.format)\"")
    }
    guard members["canonicaliser"] == .number(Self.canonicaliser) else {
      throw BatchFault(.notABatch, "\"canonicaliser\" is not 1")
    }
    guard let order = members["received_at"]?.stringValue.flatMap({ PreciseMoment($0) }) else {
      throw BatchFault(.notABatch, "\"received_at\" is not a time such as 2025-01-30T10:00:00Z")
    }
    guard let feed = members["feed"]?.stringValue, Self.isFeed(feed) else {
      throw BatchFault(.notABatch, "\"feed\" is not a name of 1 to 64 letters, digits, . _ and -")
    }
    guard let id = members["batch_id"]?.stringValue, StreamLayout.isBatchID(id) else {
      throw BatchFault(.notABatch, "\"batch_id\" is not 64 lower-case hex digits")
    }
    let run = members["run"].map { $0.stringValue.flatMap(RunID.init(rawValue:)) }
    guard run != .some(nil) else {
      throw BatchFault(.notABatch, "\"run\" is not the name of a run")
    }
    for name in ["format", "canonicaliser", "received_at", "feed", "batch_id", "run"] {
      members[name] = nil
    }
    let body = JSONValue.object(members)
    guard SealedBatch.digest(of: body.canonicalBytes) == id else {
      throw BatchFault(.wrongDigest, "\"batch_id\" is not the digest of the content")
    }
    do throws(IngestRefusal) {
      request = try IngestRequest(body)
    } catch {
      throw BatchFault(error)
    }
    (self.id, self.order, self.feed, self.run) = (id, order, feed, run ?? nil)
  }

  /// Whether a text can name a feed: 1 to 64 ASCII letters, digits, `.`, `_` and `-`.
  package static func isFeed(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// Throws if the key says otherwise than the content.
  func check(at place: StreamLayout.BatchPlace) throws(BatchFault) {
    guard place.id == id else { throw BatchFault(.misplaced, "the key names another batch id") }
    guard place.stream == request.stream else {
      throw BatchFault(.misplaced, "the key names another stream")
    }
    guard place.deviceID == request.deviceID else {
      throw BatchFault(.misplaced, "the key names another device")
    }
    guard entries.allSatisfy({ $0.start.utcDate == place.date }) else {
      throw BatchFault(.misplaced, "an entry does not begin on \(place.date) in UTC")
    }
  }
}

extension BatchFault {
  /// The first fault of the request inside an object.
  init(_ refusal: IngestRefusal) {
    guard let first = refusal.faults.first else {
      self.init(.notABatch, "the content is not valid")
      return
    }
    let code: Code =
      if first.code == .wrongTotal {
        .wrongTotal
      } else if first.pointer.hasPrefix("/data/") {
        .invalidEntry
      } else if first.code == .tooLarge {
        .tooLarge
      } else {
        .notABatch
      }
    self.init(code, first.pointer.isEmpty ? first.message : "\(first.pointer): \(first.message)")
  }
}

/// Why an object that has a batch's key is not a batch (R46).
public struct BatchFault: Error, Hashable, Sendable {
  /// What kind of fault it is.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The store holds something there that can't be read.
    case unreadable = "unreadable_object"
    /// Not gzip, cut off, or its checksum is wrong.
    case notGzip = "not_gzip"
    /// More bytes than a batch may have.
    case tooLarge = "too_large"
    /// Not one JSON object.
    case notJSON = "not_json"
    /// A member that every batch has is missing or not valid.
    case notABatch = "not_a_batch"
    /// The id is not the digest of the content.
    case wrongDigest = "wrong_digest"
    /// `total_records` is not the number of entries.
    case wrongTotal = "wrong_total"
    /// An entry is not valid.
    case invalidEntry = "invalid_entry"
    /// The key names another stream, device, date or id than the content.
    case misplaced = "misplaced"
  }

  /// What kind of fault it is.
  public let code: Code
  /// A sentence that says what is wrong. It quotes at most 40 characters of the object.
  public let message: String

  init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
}
