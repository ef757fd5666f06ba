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
  /// Texts by where they stand.
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
/// A sample that is not of the usual form it leaves to `StreamEntry`.
struct SampleScan {
  private(set) var json: PlainJSON
  private var members: [Member] = []
  /// The places of the members, sorted by their keys. Most samples have the members of the one before
  /// in the same order, and then this is sorted already.
  private var order: [Int] = []
  /// By `Known`, the place of each among the members; -1 for those that there are not.
  private var places: [Int]
  private let names: [UInt128]
  /// The entry of the last sample: most samples have the same type and unit as the one before.
  private var last: ValueRule?

  /// How to read a sample's value, by the positions of its type and unit.
  private struct ValueRule {
    let type: Range<Int>
    let unit: Range<Int>
    let isSleep: Bool
    let places: Int?
  }

  private struct Member {
    let key: Range<Int>
    var value: Value
  }

  private enum Value {
    case plain(PlainJSON.Value)
    case moment(Moment)
    case uuid(Range<Int>)
    case rounded(PlainNumber, places: Int?)
  }

  private enum Known: Int {
    case deleted, endTimestamp, feed, hardware, sampleType, source, timestamp, unit, userEntered
    case uuid, value

    /// In the order of the cases.
    static let names = [
      "deleted", "end_timestamp", "feed", "hardware", "sample_type", "source", "timestamp", "unit",
      "user_entered", "uuid", "value",
    ]
  }

  /// A time, and the first 19 bytes of its text if these are UTC.
  private struct Moment {
    let milliseconds: Int
    let start: Int?
  }

  init(_ bytes: [UInt8], in range: Range<Int>) {
    json = PlainJSON(bytes, in: range)
    names = Known.names.map { name in
      name.utf8.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    }
    places = Array(repeating: -1, count: names.count)
  }

  /// Goes to a place.
  mutating func move(to offset: Int) { json.offset = offset }

  /// Reads the sample at the offset, and writes it.
  ///
  /// - Returns: nil if it is not of the usual form, or not valid. Then something of it may have been
  ///   written.
  mutating func next(into target: inout [UInt8]) -> ScannedSample? {
    guard readMembers() else { return nil }
    var sample = ScannedSample()
    guard check(&sample), sortMembers() else { return nil }
    write(&sample, to: &target)
    return sample
  }

  private mutating func readMembers() -> Bool {
    members.removeAll(keepingCapacity: true)
    for index in places.indices { places[index] = -1 }
    guard json.take(UInt8(ascii: "{")) else { return false }
    repeat {
      guard let key = json.key(), key.count <= EntryReader.maximumNameBytes,
        let value = json.value()
      else { return false }
      if let known = known(key) { places[known] = members.count }
      members.append(Member(key: key, value: .plain(value)))
    } while json.take(UInt8(ascii: ","))
    return json.take(UInt8(ascii: "}")) && members.count <= EntryReader.maximumMembers
  }

  private func known(_ key: Range<Int>) -> Int? {
    guard key.count <= 16 else { return nil }
    var name = UInt128(0)
    for place in key { name = name << 8 | UInt128(json.bytes[place]) }
    return names.firstIndex(of: name)
  }

  // MARK: - Checks

  /// What `EntryReader.sample()` checks, in values that are of the usual form.
  private mutating func check(_ sample: inout ScannedSample) -> Bool {
    guard let type = text(.sampleType), (1...100).contains(type.count),
      json.bytes[type].allSatisfy(\.isASCIILetterOrDigit), let start = moment(.timestamp)
    else { return false }
    sample.type = type
    sample.start = start.milliseconds
    sample.end = start.milliseconds
    if has(.endTimestamp) {
      guard let end = moment(.endTimestamp) else { return false }
      (sample.end, sample.hasEnd) = (end.milliseconds, true)
    }
    guard sample.start <= sample.end else { return false }
    if has(.uuid) {
      guard let place = text(.uuid), let uuid = UUIDText.value(json.bytes[place]) else {
        return false
      }
      sample.uuid = uuid
      members[places[Known.uuid.rawValue]].value = .uuid(place)
    }
    sample.source = text(.source)
    if has(.source) {
      guard let source = sample.source, source.count <= 200 else { return false }
    }
    (sample.unit, sample.hardware, sample.feed) = (text(.unit), text(.hardware), text(.feed))
    if case .bool(true)? = plain(.userEntered) { sample.isUserEntered = true }
    sample.hasOthers =
      members.count > places.count { $0 >= 0 } || (has(.userEntered) && !sample.isUserEntered)
      || (has(.hardware) && sample.hardware == nil) || has(.feed)
    return has(.deleted) ? checkDeletion(&sample) : checkValue(sample)
  }

  private func checkDeletion(_ sample: inout ScannedSample) -> Bool {
    guard case .bool(true)? = plain(.deleted), sample.uuid != nil else { return false }
    sample.isDeletion = true
    // Its other members are kept as they are.
    sample.hasOthers = sample.hasOthers || has(.value) || has(.unit)
    // Zero has no sign.
    if case .number(let number)? = plain(.value) { sample.value = number.value + 0 }
    return true
  }

  private mutating func checkValue(_ sample: ScannedSample) -> Bool {
    guard case .number(let number)? = plain(.value), (-1e15...1e15).contains(number.value),
      let unit = sample.unit, unit.count <= 40
    else { return false }
    let rule = self.rule(type: sample.type, unit: unit)
    if rule.isSleep, !(0...5).contains(number.value) || number.value != number.value.rounded() {
      return false
    }
    members[places[Known.value.rawValue]].value = .rounded(number, places: rule.places)
    return true
  }

  private mutating func rule(type: Range<Int>, unit: Range<Int>) -> ValueRule {
    if let last, compare(last.type, type) == 0, compare(last.unit, unit) == 0 { return last }
    let name = json.string(type)
    let rule = ValueRule(
      type: type, unit: unit, isSleep: name == HealthKitSampling.sleepAnalysis,
      places: ValueNormalisation.fractionDigits(unit: json.string(unit), type: name))
    last = rule
    return rule
  }

  private func has(_ known: Known) -> Bool { places[known.rawValue] >= 0 }

  private func plain(_ known: Known) -> PlainJSON.Value? {
    let place = places[known.rawValue]
    guard place >= 0, case .plain(let value) = members[place].value else { return nil }
    return value
  }

  private func text(_ known: Known) -> Range<Int>? {
    if case .text(let range)? = plain(known) { range } else { nil }
  }

  private mutating func moment(_ known: Known) -> Moment? {
    guard let text = text(known) else { return nil }
    let moment: Moment
    if let milliseconds = EntryMoment.usual(json.bytes, in: text) {
      moment = Moment(milliseconds: milliseconds, start: text.lowerBound)
    } else {
      guard let other = EntryMoment(json.string(text)) else { return nil }
      moment = Moment(milliseconds: other.milliseconds, start: nil)
    }
    members[places[known.rawValue]].value = .moment(moment)
    return moment
  }

  // MARK: - Writing

  /// Sorts the members by their keys; false if two have one.
  private mutating func sortMembers() -> Bool {
    if order.count != members.count { order = Array(members.indices) }
    for index in order.indices.dropFirst() {
      var place = index
      while place > 0 {
        switch compare(members[order[place - 1]].key, members[order[place]].key) {
        case 0: return false
        case 1:
          order.swapAt(place - 1, place)
          place -= 1
          continue
        default: break
        }
        break
      }
    }
    return true
  }

  /// -1, 0 or 1 by the bytes: keys are of ASCII.
  private func compare(_ a: Range<Int>, _ b: Range<Int>) -> Int {
    for offset in 0..<min(a.count, b.count) {
      let (x, y) = (json.bytes[a.lowerBound + offset], json.bytes[b.lowerBound + offset])
      if x != y { return x < y ? -1 : 1 }
    }
    return a.count == b.count ? 0 : a.count < b.count ? -1 : 1
  }

  private func write(_ sample: inout ScannedSample, to target: inout [UInt8]) {
    var separator = UInt8(ascii: "{")
    for place in order {
      let member = members[place]
      target.append(separator)
      separator = UInt8(ascii: ",")
      quote(member.key, to: &target)
      target.append(UInt8(ascii: ":"))
      switch member.value {
      case .plain(.text(let range)): quote(range, to: &target)
      case .plain(.number(let number)): _ = number.write(roundedTo: nil, to: &target)
      case .plain(.bool(let flag)): target += (flag ? "true" : "false").utf8
      case .plain(.null): target += "null".utf8
      case .moment(let moment): write(moment, to: &target)
      case .uuid(let range):
        target.append(UInt8(ascii: "\""))
        // Lower case: digits and dashes have this bit.
        for place in range { target.append(json.bytes[place] | 0x20) }
        target.append(UInt8(ascii: "\""))
      case .rounded(let number, let places):
        sample.value = number.write(roundedTo: places, to: &target)
      }
    }
    target.append(UInt8(ascii: "}"))
  }

  /// Writes a text with its quotes, which stand around it.
  private func quote(_ range: Range<Int>, to target: inout [UInt8]) {
    target += json.bytes[(range.lowerBound - 1)..<(range.upperBound + 1)]
  }

  private func write(_ moment: Moment, to target: inout [UInt8]) {
    target.append(UInt8(ascii: "\""))
    if let start = moment.start {
      target += json.bytes[start..<(start + 19)]
      target.append(UInt8(ascii: "."))
      let rest = moment.milliseconds % 1000
      PlainNumber.write(rest < 0 ? rest + 1000 : rest, width: 3, to: &target)
      target.append(UInt8(ascii: "Z"))
    } else {
      target += EntryMoment(milliseconds: moment.milliseconds).text.utf8
    }
    target.append(UInt8(ascii: "\""))
  }
}
