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

  /// Reads the sample at the offset if it has a shape.
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
