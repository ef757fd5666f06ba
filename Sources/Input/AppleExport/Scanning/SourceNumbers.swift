internal import HealthModel

/// Numbers the sources of an export by name and hardware.
///
/// The address in `device` differs from record to record, so the attribute as a whole does
/// not distinguish sources.
struct SourceNumbers {
  enum Answer {
    case known(UInt16)
    /// Seen for the first time.
    case new(UInt16, ExportSource)
    case refused(SkipReason)
  }

  private var numbers: [ExportSource: UInt16] = [:]
  private var recent = RecentSources()

  /// Most sources that are distinguished, and most bytes of a name: far more than people have.
  static var maximumCount: Int { 4096 }
  static var maximumBytes: Int { 1024 }

  @inline(__always)
  mutating func number(name: RawText, device: RawText) -> Answer {
    let device = Self.withoutAddress(device)
    if let number = recent.number(name: name, device: device) { return .known(number) }
    return look(up: name, device: device)
  }

  private mutating func look(up name: RawText, device: RawText) -> Answer {
    guard name.count <= Self.maximumBytes, device.count <= 4 * Self.maximumBytes else {
      return .refused(.tooLarge)
    }
    let source = ExportSource(
      name: AttributeText(name).string, hardware: Self.hardware(AttributeText(device).bytes))
    if let number = numbers[source] {
      recent.remember(name: name, device: device, number: number)
      return .known(number)
    }
    guard numbers.count < Self.maximumCount else { return .refused(.tooManySources) }
    let number = UInt16(numbers.count)
    numbers[source] = number
    recent.remember(name: name, device: device, number: number)
    return .new(number, source)
  }

  /// A device from the first comma on where it begins with its address, else all of it.
  @inline(__always)
  static func withoutAddress(_ device: RawText) -> RawText {
    guard let start = device.start,
      device.starts(with: "&lt;&lt;HKDevice: 0x") || device.starts(with: "<<HKDevice: 0x")
    else { return device }
    let length = min(device.count, 48)
    let comma = ByteSearch.first(UInt8(ascii: ","), from: start, to: start + length)
    // Without a comma there is nothing but the address.
    return comma - start < length || length == device.count
      ? device.dropping(comma - start) : device
  }

  /// What follows the last `, hardware:`, up to the next member or the closing bracket.
  static func hardware(_ device: [UInt8]) -> String {
    let label = Array(", hardware:".utf8)
    guard device.count > label.count else { return "" }
    var start = device.count - label.count
    while !device[start...].starts(with: label) {
      guard start > 0 else { return "" }
      start -= 1
    }
    let value = device[(start + label.count)...]
    var end = value.startIndex
    while end < value.endIndex, value[end] != Mark.greater {
      if value[end] == UInt8(ascii: ","), end + 1 < value.endIndex, value[end + 1] == 0x20 { break }
      end += 1
    }
    return String(decoding: value[..<end], as: UTF8.self)
  }
}

/// The last few sources by the bytes that named them.
///
/// Records of a watch and a phone alternate, so one would not do.
private struct RecentSources {
  private struct Slot {
    var nameLength = -1
    var deviceLength = 0
    var number: UInt16 = 0
  }

  private static var slotCount: Int { 8 }
  private static var slotBytes: Int { 1024 }

  private var slots = [Slot](repeating: Slot(), count: slotCount)
  /// The bytes of each slot's name and device, one after the other.
  private var bytes = [UInt8](repeating: 0, count: slotCount * slotBytes)
  private var next = 0

  @inline(__always)
  func number(name: RawText, device: RawText) -> UInt16? {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      for index in 0..<Self.slotCount
      where slots[index].nameLength == name.count && slots[index].deviceLength == device.count {
        let kept = base + index * Self.slotBytes
        if compareBytes(name.start, kept, name.count),
          compareBytes(device.start, kept + name.count, device.count)
        {
          return slots[index].number
        }
      }
      return nil
    }
  }

  mutating func remember(name: RawText, device: RawText, number: UInt16) {
    guard name.count + device.count <= Self.slotBytes else { return }
    let from = next * Self.slotBytes
    bytes.replaceSubrange(from..<(from + name.count), with: name.bytes)
    bytes.replaceSubrange(
      (from + name.count)..<(from + name.count + device.count), with: device.bytes)
    slots[next] = Slot(nameLength: name.count, deviceLength: device.count, number: number)
    next = (next + 1) % Self.slotCount
  }
}

/// A workout whose end tag has not been read, and what its children say.
struct OpenWorkout {
  private(set) var workout: ExportWorkout
  private var basalEnergy: Double?
  /// By type: a workout of several sports has several.
  private var distances: [String: Double] = [:]
  private var averageSpeeds: [String: Double] = [:]
  private var maximumSpeeds: [String: Double] = [:]
  /// When it was paused or resumed; seconds since 1970.
  private var pauses: [(moment: Int64, isPause: Bool)] = []

  init(_ workout: ExportWorkout) { self.workout = workout }

  var start: Int64 { workout.start }

  /// What a number of a workout says.
  enum Number {
    case absent
    case value(Double)
    /// It is below 0, or no number.
    case invalid
    case unknownUnit
  }

  /// Most pauses that are kept, and most types of distance and speed: far more than any workout
  /// has.
  private static var mostPauses: Int { 4096 }
  private static var mostTypes: Int { 16 }

  /// Takes a figure.
  mutating func add(_ number: Number, as figure: WorkoutFigure) {
    if let value = value(number) { workout.figures[figure] = value }
  }

  mutating func addDuration(_ number: Number) {
    if let value = value(number) { workout.duration = value }
  }

  mutating func addBasalEnergy(_ number: Number) {
    if let value = value(number) { basalEnergy = value }
  }

  mutating func addDistance(_ number: Number, type: String) {
    guard let value = value(number), distances.count < Self.mostTypes else { return }
    distances[type] = value
  }

  mutating func addSpeed(average: Number, maximum: Number, type: String) {
    guard averageSpeeds.count < Self.mostTypes, maximumSpeeds.count < Self.mostTypes else { return }
    if let value = value(average) { averageSpeeds[type] = value }
    if let value = value(maximum) { maximumSpeeds[type] = value }
  }

  mutating func addPause(at moment: Int64, isPause: Bool) {
    if pauses.count < Self.mostPauses { pauses.append((moment, isPause)) }
  }

  /// The number, counted where it can't be used.
  private mutating func value(_ number: Number) -> Double? {
    switch number {
    case .absent: return nil
    case .value(let value): return value
    case .invalid: workout.invalidNumbers += 1
    case .unknownUnit: workout.unknownUnits += 1
    }
    return nil
  }

  /// The workout, now that all of its children are read.
  var closed: ExportWorkout {
    var workout = workout
    if let active = workout.figures[.activeEnergy], let basalEnergy {
      workout.figures[.totalEnergy] = active + basalEnergy
    }
    let types = WorkoutTypes(of: workout.activity)
    if let distance = types.distance(distances) { workout.figures[.distance] = distance }
    if let speed = types.own(averageSpeeds) { workout.figures[.averageSpeed] = speed }
    if let speed = types.own(maximumSpeeds) { workout.figures[.maximumSpeed] = speed }
    if workout.duration == nil, !pauses.isEmpty, workout.end >= workout.start {
      workout.duration = Double(workout.end - workout.start - pausedSeconds)
    }
    return workout
  }

  /// Seconds of the workout in which it was paused; a pause without an end lasts to the workout's.
  private var pausedSeconds: Int64 {
    var (paused, since): (Int64, Int64?) = (0, nil)
    // Those of one moment stay in the order of the file.
    let sorted = pauses.enumerated()
      .sorted { ($0.element.moment, $0.offset) < ($1.element.moment, $1.offset) }.map(\.element)
    for pause in sorted {
      let moment = min(max(pause.moment, workout.start), workout.end)
      if pause.isPause {
        since = since ?? moment
      } else if let begin = since {
        paused += moment - begin
        since = nil
      }
    }
    return paused + (since.map { workout.end - $0 } ?? 0)
  }
}
