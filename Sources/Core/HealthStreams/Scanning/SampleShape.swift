import HealthModel

/// What samples have in common if only their ids, times, values and further members differ: their text
/// with gaps for these, as it was received and as canonical JSON.
struct SampleShape {
  enum Gap: Hashable {
    case uuid, start, end, value
    /// A member that is kept as it is. They are counted in the order of the text.
    case other(Int)

    /// What it holds until it is filled; nil if its length differs between samples.
    fileprivate var blank: [UInt8]? {
      switch self {
      case .uuid: Array(#""00000000-0000-0000-0000-000000000000""#.utf8)
      case .start, .end: Array(#""0000-00-00T00:00:00.000Z""#.utf8)
      case .value, .other: nil
      }
    }
  }

  /// A piece of canonical JSON.
  struct Piece {
    /// With blanks for the id and the times.
    fileprivate(set) var text: [UInt8] = []
    /// Where these begin, after their quotes.
    fileprivate(set) var blanks: [(place: Int, gap: Gap)] = []
    /// What follows the text.
    fileprivate(set) var gap: Gap?
  }

  /// The members that all of them share.
  private(set) var sample = ScannedSample()
  /// The decimal places to which the value is rounded; nil if it is not rounded.
  private(set) var places: Int?
  /// The place of the text before each gap, and of the text after the last one.
  private(set) var parts: [(text: Range<Int>, gap: Gap?)] = []
  private(set) var canonical: [Piece] = []
  private var isSleep = false

  private struct Member {
    let key: Range<Int>
    let value: PlainJSON.Value
    /// Where the value stands.
    let place: Range<Int>
    /// The part of the value that differs between samples.
    var gap: (gap: Gap, place: Range<Int>)?
  }

  /// Whether a sample of this shape may have a value.
  func takes(_ value: Double) -> Bool {
    (-1e15...1e15).contains(value)
      && (!isSleep || EntryReader.isSleep(value))
  }

  /// The shape of the sample at an offset; nil if it is not of the usual form, or not valid.
  init?(_ json: PlainJSON) {
    let start = json.offset
    guard let (found, end) = Self.members(json) else { return nil }
    var members = found
    guard check(&members, json) else { return nil }
    parts.reserveCapacity(5)
    var place = start
    for case let (gap, range)? in members.map(\.gap) {
      parts.append((place..<range.lowerBound, gap))
      place = range.upperBound
    }
    parts.append((place..<end, nil))
    // Keys are ASCII.
    members.sort { json.bytes.span.precedes($0.key, $1.key) }
    for (a, b) in zip(members, members.dropFirst()) where json.bytes.span.isEqual(a.key, b.key) {
      return nil
    }
    write(members, json)
  }

  private static func members(_ json: PlainJSON) -> (members: [Member], end: Int)? {
    var (json, members) = (json, [Member]())
    members.reserveCapacity(16)
    guard json.take(UInt8(ascii: "{")) else { return nil }
    repeat {
      guard let key = json.key(), key.count <= EntryReader.maximumNameBytes else { return nil }
      json.skipBlanks()
      let start = json.offset
      guard let value = json.value() else { return nil }
      members.append(Member(key: key, value: value, place: start..<json.offset))
    } while json.take(UInt8(ascii: ","))
    guard json.take(UInt8(ascii: "}")), members.count <= EntryReader.maximumMembers else {
      return nil
    }
    return (members, json.offset)
  }

  /// Makes the checks of `EntryReader.sample()`, except those of the gaps' contents, on values of the
  /// usual form.
  private mutating func check(_ members: inout [Member], _ json: PlainJSON) -> Bool {
    var (hasValue, hasStart, isValid, others) = (false, false, true, 0)
    for index in members.indices {
      let (key, value) = (members[index].key, members[index].value)
      var text: Range<Int>?
      if case .text(let range) = value { text = range }
      func gap(_ gap: Gap) {
        if let text { members[index].gap = (gap, text) } else { isValid = false }
      }
      switch json.string(key) {
      case "timestamp":
        gap(.start)
        hasStart = true
      case "end_timestamp":
        gap(.end)
        sample.hasEnd = true
      case "uuid": gap(.uuid)
      case "sample_type": sample.type = text ?? 0..<0
      case "unit": sample.unit = text
      case "source":
        sample.source = text
        if text.map({ $0.count > 200 }) ?? true { isValid = false }
      case "hardware":
        sample.hardware = text
        if text == nil { sample.hasOthers = true }
      case "feed":
        sample.feed = text
        if text == nil { sample.hasOthers = true }
      case "user_entered":
        if case .bool(true) = value { sample.isUserEntered = true } else { sample.hasOthers = true }
      case "deleted":
        if case .bool(true) = value { sample.isDeletion = true } else { isValid = false }
      case "value": hasValue = true
      default:
        members[index].gap = (.other(others), members[index].place)
        others += 1
        sample.hasOthers = true
      }
    }
    guard isValid, hasStart, (1...100).contains(sample.type.count),
      json.bytes[sample.type].allSatisfy(\.isASCIILetterOrDigit)
    else { return false }
    return sample.isDeletion ? checkDeletion(members, json) : hasValue && checkValue(&members, json)
  }

  private mutating func checkDeletion(_ members: [Member], _ json: PlainJSON) -> Bool {
    guard members.contains(where: { $0.gap?.gap == .uuid }) else { return false }
    // Its other members are kept as they are.
    for member in members {
      if json.is(member.key, "unit") || json.is(member.key, "value") { sample.hasOthers = true }
      // Never a negative zero.
      if json.is(member.key, "value"), case .number(let number) = member.value {
        sample.value = number.value + 0
      }
    }
    return true
  }

  private mutating func checkValue(_ members: inout [Member], _ json: PlainJSON) -> Bool {
    guard let index = members.firstIndex(where: { json.is($0.key, "value") }),
      case .number(let number) = members[index].value, let unit = sample.unit, unit.count <= 40
    else { return false }
    members[index].gap = (.value, number.place)
    let type = json.string(sample.type)
    isSleep = type == HealthKitSampling.sleepAnalysis
    places = ValueNormalisation.fractionDigits(unit: json.string(unit), type: type)
    return true
  }

  /// - Parameter members: sorted by their keys.
  private mutating func write(_ members: [Member], _ json: PlainJSON) {
    canonical.reserveCapacity(2)
    var piece = Piece()
    piece.text.reserveCapacity(256)
    var separator = UInt8(ascii: "{")
    for member in members {
      piece.text.append(separator)
      separator = UInt8(ascii: ",")
      json.quote(member.key, to: &piece.text)
      piece.text.append(UInt8(ascii: ":"))
      guard let (gap, _) = member.gap else {
        json.write(member.value, to: &piece.text)
        continue
      }
      if let blank = gap.blank {
        piece.blanks.append((piece.text.count + 1, gap))
        piece.text += blank
      } else {
        piece.gap = gap
        canonical.append(piece)
        piece = Piece()
      }
    }
    piece.text.append(UInt8(ascii: "}"))
    canonical.append(piece)
  }
}
