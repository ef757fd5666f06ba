package import HealthModel

/// Many stored batches of one stream and device, and of one UTC date or month, in one object (R66): what
/// each batch's own object holds, byte for byte in canonical JSON.
///
/// Unpacked it is lines: a head that names the batches, then the batches by date and id. Its own id is
/// the digest of these bytes.
package struct BatchPack: Hashable, Sendable {
  /// What the head says of a batch.
  package struct Member: Hashable, Sendable {
    /// The UTC date of its entries.
    package let date: CalendarDate
    /// The batch's id.
    package let id: String
    /// How many bytes its unpacked object has.
    package let bytes: Int
    /// When it was first received.
    package let order: PreciseMoment
    /// Where its entries came from.
    package let feed: String

    package init(
      date: CalendarDate, id: String, bytes: Int, order: PreciseMoment, feed: String
    ) {
      (self.date, self.id) = (date, id)
      (self.bytes, self.order, self.feed) = (bytes, order, feed)
    }

    package var name: Name { Name(date, id) }

    /// Whether of two words about one batch this one counts: the first receipt's (R46).
    package func precedes(_ other: Member) -> Bool {
      if order != other.order { return order < other.order }
      return feed.utf8.lexicographicallyPrecedes(other.feed.utf8)
    }
  }

  /// SHA-256 of the unpacked bytes.
  package let id: String
  /// The batches, by date and id.
  package let members: [Member]
  /// The unpacked bytes.
  package let text: [UInt8]
  /// Where each batch's object begins in them.
  private let starts: [Int]

  /// The value of `format`.
  private static let format = "streams.pack.v0"
  /// The most bytes of the batches' objects together.
  package static let maximumBytes = 16 << 20
  /// The most batches.
  package static let maximumMembers = 16_384
  /// The most bytes of the head, and of all.
  private static let maximumHeadBytes = 4 << 20
  static let maximumTextBytes = maximumBytes + maximumMembers + maximumHeadBytes
  /// The most packed bytes. Gzip adds little to what it can't make smaller.
  static let maximumPackedBytes = maximumTextBytes + 65_536

  /// Packs the objects of batches that were read and checked at their places.
  ///
  /// - Parameter objects: at least two, all of different names, in any order.
  package init(of objects: [(member: Member, object: [UInt8])], _ place: PackedSpan) {
    let sorted = objects.sorted { $0.member.name < $1.member.name }
    members = sorted.map(\.member)
    var text = Self.head(of: members, place)
    text.reserveCapacity(text.count + objects.reduce(1) { $0 + $1.member.bytes + 1 })
    text.append(Self.newline)
    var starts: [Int] = []
    for (_, object) in sorted {
      starts.append(text.count)
      text += object
      text.append(Self.newline)
    }
    (self.text, self.starts) = (text, starts)
    id = SealedBatch.digest(of: text)
  }

  /// Reads the head of an unpacked object and checks it against the bytes and the key. The batches
  /// themselves are checked where they are read.
  init(
    opening text: [UInt8], at place: PackPlace,
    _ digest: SealedBatch.Digest = SealedBatch.digest
  ) throws(BatchFault) {
    guard text.count <= Self.maximumTextBytes else {
      throw BatchFault(.tooLarge, "the pack has more than \(Self.maximumTextBytes) bytes")
    }
    guard
      let headEnd = text.prefix(Self.maximumHeadBytes).firstIndex(of: Self.newline),
      let head = try? JSONValue(parsing: Array(text[..<headEnd]), maximumDepth: 4),
      case .object = head
    else { throw BatchFault(.notJSON, "the pack does not begin with a line of JSON") }
    guard head["format"] == .string(Self.format) else {
      throw BatchFault(.notABatch, "\"format\" is not \"\(Self.format)\"")
    }
    guard let listed = head["batches"]?.arrayValue,
      (2...Self.maximumMembers).contains(listed.count)
    else {
      throw BatchFault(.notABatch, "the pack does not name 2 to \(Self.maximumMembers) batches")
    }
    var (members, starts, end): ([Member], [Int], Int) = ([], [], headEnd + 1)
    for value in listed {
      guard let member = Member(value, of: place.dates) else {
        throw BatchFault(
          .notABatch, "the pack names a batch without its id, bytes, order, feed or date")
      }
      guard members.last.map({ $0.name < member.name }) ?? true else {
        throw BatchFault(.notABatch, "the pack does not name its batches in order")
      }
      starts.append(end)
      end += member.bytes
      guard end < text.count, text[end] == Self.newline else {
        throw BatchFault(.wrongTotal, "the batches of the pack are not those that it names")
      }
      end += 1
      members.append(member)
    }
    guard end == text.count else {
      throw BatchFault(.wrongTotal, "the pack has more than it names")
    }
    guard digest(text) == place.id else {
      throw BatchFault(.wrongDigest, "the pack's name is not the digest of its content")
    }
    let span = PackedSpan(stream: place.stream, deviceID: place.deviceID, dates: place.dates)
    guard text[..<headEnd].elementsEqual(Self.head(of: members, span)) else {
      throw BatchFault(
        .misplaced, "the key names another stream, device, date or month than the pack")
    }
    (self.id, self.members, self.text, self.starts) = (place.id, members, text, starts)
  }

  /// The unpacked object of a batch; nil if it does not hold it.
  func object(of name: Name) -> (member: Member, object: [UInt8])? {
    var (low, high) = (0, members.count)
    while low < high {
      let middle = (low + high) / 2
      if members[middle].name < name { low = middle + 1 } else { high = middle }
    }
    guard low < members.count, members[low].name == name else { return nil }
    return (members[low], Array(text[starts[low]..<starts[low] + members[low].bytes]))
  }

  private static let newline = UInt8(ascii: "\n")

  private static func head(of members: [Member], _ span: PackedSpan) -> [UInt8] {
    JSONValue.object([
      "batches": .array(members.map { $0.value(in: span.dates) }),
      span.dates.isMonth ? "month" : "date": .string("\(span.dates)"),
      "device_id": .string(span.deviceID), "format": .string(format),
      "stream_name": .string(span.stream.rawValue),
    ]).canonicalBytes
  }

  // Packs of one id have one content.
  package static func == (a: Self, b: Self) -> Bool { a.id == b.id }
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// What all batches of a pack share.
package struct PackedSpan: Hashable, Sendable {
  package let stream: StreamName
  package let deviceID: String
  package let dates: PackedDates

  package init(stream: StreamName, deviceID: String, dates: PackedDates) {
    (self.stream, self.deviceID, self.dates) = (stream, deviceID, dates)
  }
}

extension BatchPack.Member {
  /// What a head says of the batch. The head of one date names the date once, for all batches.
  fileprivate func value(in dates: PackedDates) -> JSONValue {
    var members: [String: JSONValue] = [
      "batch_id": .string(id), "bytes": .number(Double(bytes)), "feed": .string(feed),
      "received_at": .string("\(order)"),
    ]
    if dates.isMonth { members["date"] = .string("\(date)") }
    return .object(members)
  }

  fileprivate init?(_ value: JSONValue, of dates: PackedDates) {
    guard let id = value["batch_id"]?.stringValue, StreamLayout.isBatchID(id),
      let number = value["bytes"]?.numberValue, let bytes = Int(exactly: number),
      (1...StoredBatch.maximumBytes).contains(bytes),
      let feed = value["feed"]?.stringValue, StoredBatch.isFeed(feed),
      let order = value["received_at"]?.stringValue.flatMap({ PreciseMoment($0) })
    else { return nil }
    let said = value["date"]?.stringValue.flatMap { CalendarDate($0) }
    guard let date = dates.isMonth ? said : dates.first, dates.contains(date) else { return nil }
    self.init(date: date, id: id, bytes: bytes, order: order, feed: feed)
  }

  /// Throws if the batch that the pack holds is not the one that its head names.
  func check(_ order: PreciseMoment, _ feed: String) throws(BatchFault) {
    guard self.order == order, self.feed == feed else {
      throw BatchFault(.notABatch, "the pack names another receipt of the batch than it holds")
    }
  }
}
