import HealthModel

/// One sample as it stood in JSON.
struct ScannedSample {
  /// Milliseconds since 1970.
  var start = 0
  var end = 0
  /// Normalised; 0 where there is none.
  var value = 0.0
  /// The sample's own id.
  var uuid: UInt128?
  var hasEnd = false
  var isDeletion = false
  var isUserEntered = false
  /// The places of its texts, in this sample or in an earlier one with the same texts.
  var type = 0..<0
  var unit: Range<Int>?
  var source: Range<Int>?
  var hardware: Range<Int>?
  var feed: Range<Int>?
  /// Whether it has members that are kept as they are.
  var hasOthers = false

  var span: ClosedRange<Timestamp> {
    EntryMoment(milliseconds: start).timestamp...EntryMoment(milliseconds: end).timestamp
  }
}

/// Reads, checks and normalises samples where they stand in a text, and writes them as canonical JSON
/// (R13, R43, R44): what `StreamEntry` does, without making a value of each member.
///
/// Most samples have the shape of an earlier one. Then only their id, times, value and further members
/// are read, and the text between these is compared. It leaves samples of
/// another form to `StreamEntry`.
struct SampleScan {
  private(set) var json: PlainJSON
  /// The shapes of recent samples, because types and devices often alternate.
  private(set) var shapes: [SampleShape] = []
  /// The one to try first.
  private var last = 0

  private static let maximumShapes = 8

  /// What stands in the gaps of a sample.
  private struct Contents {
    var start = Moment(milliseconds: 0, text: nil)
    var end: Moment?
    /// Where the id begins.
    var uuid = 0
    var value: PlainNumber?
    var others: [PlainJSON.Value] = []
  }

  /// A time, and where its text begins if the first 19 bytes of that are in UTC.
  private struct Moment {
    let milliseconds: Int
    let text: Int?
  }

  init(_ bytes: [UInt8], in range: Range<Int>) { json = PlainJSON(bytes, in: range) }

  /// Goes to a place.
  mutating func move(to offset: Int) { json.offset = offset }

  /// Reads the sample at the offset, and writes it.
  ///
  /// - Returns: nil if it is not of the usual form, or not valid. Then nothing was written.
  mutating func next(into target: inout [UInt8]) -> ScannedSample? {
    for number in shapes.indices {
      let place = (last + number) % shapes.count
      if let (sample, end) = read(shapes[place], into: &target) {
        (last, json.offset) = (place, end)
        return sample
      }
    }
    guard let shape = SampleShape(json), let (sample, end) = read(shape, into: &target) else {
      return nil
    }
    last = (last + 1) % Self.maximumShapes
    if last < shapes.count { shapes[last] = shape } else { shapes.append(shape) }
    last = min(last, shapes.count - 1)
    json.offset = end
    return sample
  }

  private func read(
    _ shape: SampleShape, into target: inout [UInt8]
  ) -> (sample: ScannedSample, end: Int)? {
    let bytes = json.bytes.span
    var (sample, contents, place) = (shape.sample, Contents(), json.offset)
    for (text, gap) in shape.parts {
      let next = place + text.count
      guard next <= json.end, bytes.isEqual(text, place..<next) else { return nil }
      place = next
      switch gap {
      case .start?:
        guard let moment = moment(&place) else { return nil }
        contents.start = moment
      case .end?:
        guard let moment = moment(&place) else { return nil }
        contents.end = moment
      case .uuid?:
        guard place + 36 <= json.end,
          let uuid = UUIDText.value(bytes.extracting(place..<(place + 36)))
        else { return nil }
        (sample.uuid, contents.uuid, place) = (uuid, place, place + 36)
      case .value?:
        guard let number = PlainNumber(json.bytes, from: place, to: json.end),
          shape.takes(number.value)
        else { return nil }
        (contents.value, place) = (number, number.place.upperBound)
      case .other?:
        var json = json
        json.offset = place
        guard let other = json.value() else { return nil }
        contents.others.append(other)
        place = json.offset
      case nil: break
      }
    }
    sample.start = contents.start.milliseconds
    sample.end = contents.end?.milliseconds ?? sample.start
    guard sample.start <= sample.end else { return nil }
    write(&sample, contents, shape, to: &target)
    return (sample, place)
  }

  private func moment(_ place: inout Int) -> Moment? {
    let start = place
    if let usual = EntryMoment.usual(json.bytes.span, from: start, to: json.end) {
      place = usual.end
      return Moment(milliseconds: usual.milliseconds, text: start)
    }
    guard let (end, _) = json.bytes.span.plainText(from: start, to: json.end) else { return nil }
    place = end
    return EntryMoment(json.string(start..<end)).map {
      Moment(milliseconds: $0.milliseconds, text: nil)
    }
  }

  // MARK: - Writing

  private func write(
    _ sample: inout ScannedSample, _ contents: Contents, _ shape: SampleShape,
    to target: inout [UInt8]
  ) {
    for piece in shape.canonical {
      let start = target.count
      target += piece.text
      for (place, gap) in piece.blanks {
        switch gap {
        case .uuid: writeID(contents.uuid, at: start + place, of: &target)
        case .start: write(contents.start, at: start + place, of: &target)
        case .end: write(contents.end ?? contents.start, at: start + place, of: &target)
        case .value, .other: break
        }
      }
      switch piece.gap {
      case .value?:
        if let value = contents.value {
          sample.value = value.write(roundedTo: shape.places, to: &target)
        }
      case .other(let number)?: json.write(contents.others[number], to: &target)
      case .uuid?, .start?, .end?, nil: break
      }
    }
  }

  private func writeID(_ source: Int, at place: Int, of target: inout [UInt8]) {
    let bytes = json.bytes.span
    var target = target.mutableSpan
    // Lower case: digits and dashes have this bit too.
    for offset in 0..<36 { target[place + offset] = bytes[source + offset] | 0x20 }
  }

  /// Writes a time where one of no milliseconds stands.
  private func write(_ moment: Moment, at place: Int, of target: inout [UInt8]) {
    let bytes = json.bytes.span
    var target = target.mutableSpan
    guard let source = moment.text else {
      for (offset, byte) in EntryMoment(milliseconds: moment.milliseconds).text.utf8.enumerated() {
        target[place + offset] = byte
      }
      return
    }
    for offset in 0..<19 { target[place + offset] = bytes[source + offset] }
    var rest = moment.milliseconds % 1000
    if rest < 0 { rest += 1000 }
    for offset in [22, 21, 20] where rest > 0 {
      target[place + offset] = 0x30 + UInt8(rest % 10)
      rest /= 10
    }
  }
}

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
