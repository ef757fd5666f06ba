import Foundation
import StoreTesting

/// A store with faults planted by lot: each kind alone first, then several at once among sound
/// days. Ids are of the last half hour, so that LastModified is near however the objects arrive.
struct PlantedStore {
  let days: [PlantedDay]
  /// Outside the years of the data.
  static let outside = ["health/v0/Readme", "health/v0/data/.keep", "health/v0/zz/1.json"]

  /// Two sound revisions of each day, and nothing wrong, unless `faulty`.
  init(
    from first: PlantedDate, days count: Int, seed: UInt64, now: Date = Date(), faulty: Bool = true
  ) {
    var planter = Planter(seed: seed, now: now)
    days = (0..<count).map { place in
      let date = PlantedDate(number: first.number + place)
      return faulty ? planter.day(date, place: place) : planter.soundDay(date)
    }
  }

  /// Every object by its key.
  var objects: [String: [UInt8]] {
    var objects: [String: [UInt8]] = [:]
    for day in days { objects.merge(day.objects) { _, new in new } }
    for key in Self.outside { objects[key] = [0x31] }
    return objects
  }

  /// Everything that must be found, sorted.
  func findings(deep: Bool) -> [String] {
    (days.flatMap { $0.findings(deep: deep) }
      + Self.outside.map { "note foreign_object \($0)  -" }).sorted()
  }

  var missingDates: [String] { days.filter(\.isMissing).map(\.date.text) }

  var resolved: [String: String] {
    Dictionary(
      uniqueKeysWithValues: days.compactMap { day in day.latest.map { (day.date.text, $0.id) } })
  }

  /// Writes the objects as files below a folder.
  func write(to folder: URL) throws {
    for (key, bytes) in objects {
      let file = folder.appending(path: key)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file)
    }
  }
}

/// Draws days from a seed.
private struct Planter {
  private var generator: SplitMix64
  private let now: Date

  init(seed: UInt64, now: Date) {
    generator = SplitMix64(seed: seed)
    self.now = now
  }

  private static let strangers = [
    "notes.txt", "revisions/x.json", "latest.JSON", "..x", "..-old/latest.json",
  ]

  /// Places below the number of kinds get that kind alone; the rest is drawn.
  mutating func day(_ date: PlantedDate, place: Int) -> PlantedDay {
    var day = PlantedDay(date: date)
    let faults = DocumentFault.all.filter { $0.onlyOn == nil }
    let pointers = PlantedDay.Pointer.allCases
    if let special = DocumentFault.all.first(where: { $0.onlyOn == date.text }) {
      day.revisions = [PlantedDay.Revision(id: id(0), faults: [special])]
      day.pointer = .sound
    } else if place < faults.count {
      day.revisions = [PlantedDay.Revision(id: id(0), faults: [faults[place]])]
      day.pointer = day.latest == nil ? .absent : .sound
    } else if place < 2 * faults.count {
      // A sound revision below it.
      let fault = faults[place - faults.count]
      day.revisions = [
        PlantedDay.Revision(id: id(0), faults: []), PlantedDay.Revision(id: id(1), faults: [fault]),
      ]
      day.pointer = .sound
    } else if place < 2 * faults.count + pointers.count {
      day.revisions = [
        PlantedDay.Revision(id: id(0), faults: []),
        PlantedDay.Revision(id: id(1), faults: [faults[0]]),
      ]
      day.pointer = pointers[place - 2 * faults.count]
    } else {
      draw(&day)
    }
    return day
  }

  mutating func soundDay(_ date: PlantedDate) -> PlantedDay {
    let revisions = [0, 1].map { PlantedDay.Revision(id: id($0), faults: []) }
    return PlantedDay(date: date, revisions: revisions, pointer: .sound)
  }

  private mutating func draw(_ day: inout PlantedDay) {
    day.revisions = (0..<Int.random(in: 0...3, using: &generator)).map { index in
      let isTroubled = Int.random(in: 0...3, using: &generator) == 0
      return PlantedDay.Revision(id: id(index), faults: isTroubled ? faults() : [])
    }
    switch Int.random(in: 0...20, using: &generator) {
    case 0:
      var future = PlantedDay.Revision(id: id(86_400), faults: [])
      future.isInFuture = true
      day.revisions.append(future)
    case 1:
      var old = PlantedDay.Revision(id: id(-172_800), faults: [])
      old.isFarFromLastModified = true
      day.revisions.insert(old, at: 0)
    default: break
    }
    day.pointer =
      Int.random(in: 0...2, using: &generator) == 0
      ? PlantedDay.Pointer.allCases.randomElement(using: &generator) ?? .sound : .sound
    day.strangers = Self.strangers.filter { _ in
      Int.random(in: 0...30, using: &generator) == 0
    }
  }

  /// Faults of different parts, or one that spoils the text as a whole.
  private mutating func faults() -> [DocumentFault] {
    var faults: [DocumentFault] = []
    for part in DocumentFault.Part.allCases.shuffled(using: &generator)
      .prefix(Int.random(in: 1...3, using: &generator))
    {
      let choices = DocumentFault.all.filter { $0.part == part && $0.onlyOn == nil }
      if let fault = choices.randomElement(using: &generator) { faults.append(fault) }
    }
    if let text = faults.first(where: { $0.part == .text }) { return [text] }
    return faults
  }

  /// An id so many seconds after half an hour ago, with a suffix by lot.
  private mutating func id(_ seconds: Int) -> String {
    let moment = Date(timeIntervalSince1970: now.timeIntervalSince1970 - 1800 + Double(seconds))
    let text = moment.formatted(.iso8601).replacing("-", with: "").replacing(":", with: "")
    let number = generator.next() >> 40
    // Either case, as R6 allows; and a name as long as a key's part may be.
    let suffix = String(number, radix: 16, uppercase: number % 3 > 0)
    let length = number % 50 == 0 ? 233 : 8
    return text + "-" + String(repeating: "0", count: length - suffix.count) + suffix
  }
}
