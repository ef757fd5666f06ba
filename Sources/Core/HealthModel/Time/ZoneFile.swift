/// One compiled zone of the time zone database: a TZif file, version 2 or later (RFC 9636, R4).
struct ZoneFile: Sendable {
  /// Moments, ascending, at which the offset may change; seconds since 1970.
  private let changes: [Int]
  /// The offset from each of those moments on; seconds east of UTC.
  private let offsets: [Int]
  /// The offset before the first change.
  private let firstOffset: Int
  /// What holds from the last change on; nil where the file has no rule.
  private let closingRule: ClosingRule?

  /// Reads a file; nil where it is not whole and sound.
  init?(_ bytes: [UInt8]) {
    guard bytes.count < 1 << 20, let first = Header(bytes, at: 0) else { return nil }
    let secondAt = 44 + first.blockLength(timeSize: 4)
    guard let header = Header(bytes, at: secondAt), header.typeCount > 0 else { return nil }

    let timesAt = secondAt + 44
    let kindsAt = timesAt + 8 * header.changeCount
    let typesAt = kindsAt + header.changeCount
    let footerAt = timesAt + header.blockLength(timeSize: 8)
    guard footerAt < bytes.count, bytes[footerAt] == UInt8(ascii: "\n"),
      let footerEnd = bytes[(footerAt + 1)...].firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }

    let typeOffsets = (0..<header.typeCount).map { type in
      Int(Int32(truncatingIfNeeded: Self.integer(bytes, at: typesAt + 6 * type, size: 4)))
    }
    let kinds = bytes[kindsAt..<typesAt].map(Int.init)
    guard kinds.allSatisfy({ $0 < typeOffsets.count }),
      typeOffsets.allSatisfy({ abs($0) < 86_400 })
    else { return nil }
    self.changes = (0..<header.changeCount).map {
      Self.integer(bytes, at: timesAt + 8 * $0, size: 8)
    }
    self.offsets = kinds.map { typeOffsets[$0] }
    self.firstOffset = typeOffsets[0]

    let footer = String(decoding: bytes[(footerAt + 1)..<footerEnd], as: UTF8.self)
    self.closingRule = ClosingRule(footer)
    // A rule that is there and not understood would make every later day wrong.
    guard footer.isEmpty || closingRule != nil else { return nil }
  }

  /// Seconds east of UTC that hold at a moment.
  func offset(at seconds: Int) -> Int {
    guard let last = changes.last, seconds < last else {
      return closingRule?.offset(at: seconds) ?? offsets.last ?? firstOffset
    }
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? firstOffset : offsets[low - 1]
  }

  /// A big-endian integer of four or eight bytes, without its sign for four.
  private static func integer(_ bytes: [UInt8], at place: Int, size: Int) -> Int {
    Int(
      truncatingIfNeeded: bytes[place..<(place + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// The counts that stand at the head of either block.
  private struct Header {
    let changeCount: Int
    let typeCount: Int
    private let otherCounts: (utc: Int, standard: Int, leap: Int, characters: Int)

    init?(_ bytes: [UInt8], at place: Int) {
      guard bytes.count >= place + 44, bytes[place...].starts(with: "TZif".utf8),
        bytes[place + 4] >= UInt8(ascii: "2")
      else { return nil }
      let counts = (0..<6).map { ZoneFile.integer(bytes, at: place + 20 + 4 * $0, size: 4) }
      // No count can exceed the file, so no sum of them can overflow.
      guard counts.allSatisfy({ $0 <= bytes.count }) else { return nil }
      self.changeCount = counts[3]
      self.typeCount = counts[4]
      self.otherCounts = (counts[0], counts[1], counts[2], counts[5])
    }

    func blockLength(timeSize: Int) -> Int {
      changeCount * (timeSize + 1) + typeCount * 6 + otherCounts.characters
        + otherCounts.leap * (timeSize + 4) + otherCounts.standard + otherCounts.utc
    }
  }
}

/// What holds in a zone for all time after its last listed change: a POSIX TZ string, such as
/// `PST8PDT,M3.2.0,M11.1.0` (RFC 9636, section 3.3.2; R4).
struct ClosingRule: Sendable {
  /// Seconds east of UTC in standard time.
  private let standard: Int
  /// The other offset and when it begins and ends in each year; nil where nothing changes.
  private let summer: (offset: Int, from: YearlyMoment, to: YearlyMoment)?

  /// Parses the string; nil if it is empty or has another form.
  init?(_ text: String) {
    var scanner = Scanner(rest: Array(text.utf8)[...])
    guard scanner.name(), let standard = scanner.signedTime(), abs(standard) < 86_400 else {
      return nil
    }
    self.standard = -standard
    if scanner.rest.isEmpty {
      self.summer = nil
      return
    }
    guard scanner.name() else { return nil }
    var offset = self.standard + 3600
    if scanner.rest.first != UInt8(ascii: ",") {
      guard let written = scanner.signedTime(), abs(written) < 86_400 else { return nil }
      offset = -written
    }
    guard scanner.take(","), let from = scanner.yearlyMoment(), scanner.take(","),
      let to = scanner.yearlyMoment(), scanner.rest.isEmpty
    else { return nil }
    self.summer = (offset, from, to)
  }

  /// Seconds east of UTC that hold at a moment.
  func offset(at seconds: Int) -> Int {
    guard let summer else { return standard }
    let year = Timestamp(secondsSince1970: seconds + standard).utc.date.year
    let from = summer.from.seconds(in: year) - standard
    let to = summer.to.seconds(in: year) - summer.offset
    let isSummer =
      from < to ? (from..<to).contains(seconds) : !(to..<from).contains(seconds)
    return isSummer ? summer.offset : standard
  }

  /// A moment that comes once a year.
  enum Day: Sendable {
    /// `Mm.w.d`: the w-th weekday d (0 is Sunday) of month m; w of 5 is the last.
    case weekday(month: Int, week: Int, weekday: Int)
    /// `n`: days after 1 January, 29 February counted.
    case dayOfYear(Int)
    /// `Jn`: the day of a year without a 29 February, from 1.
    case dayOfCommonYear(Int)
  }

  /// A day of the year, and seconds after its midnight (negative: before).
  struct YearlyMoment: Sendable {
    let day: Day
    let time: Int

    /// Seconds from 1970 to this moment of a year, both on local clocks.
    func seconds(in year: Int) -> Int {
      days(in: year) * 86_400 + time
    }

    private func days(in year: Int) -> Int {
      let newYear = Self.days(year, 1)
      switch day {
      case .dayOfYear(let number): return newYear + number
      case .dayOfCommonYear(let number):
        let isLeap = Self.days(year, 3) - newYear == 60
        return newYear + number - 1 + (isLeap && number >= 60 ? 1 : 0)
      case .weekday(let month, let week, let weekday):
        let first = Self.days(year, month)
        let next = month == 12 ? Self.days(year + 1, 1) : Self.days(year, month + 1)
        // 1970-01-01 was a Thursday.
        let until = (weekday - (first + 4) % 7 + 7) % 7
        let days = first + until + (week - 1) * 7
        return days < next ? days : days - 7
      }
    }

    private static func days(_ year: Int, _ month: Int) -> Int {
      // Beyond 9999 no document can go; its last year stands in.
      CalendarDate(year: min(year, 9999), month: month, day: 1)?.daysSince1970 ?? 0
    }
  }
}

extension ClosingRule {
  /// Reads the parts of a POSIX TZ string.
  struct Scanner {
    var rest: ArraySlice<UInt8>

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest = rest.dropFirst()
      return true
    }

    /// A zone's abbreviation: letters, or anything between angle brackets.
    mutating func name() -> Bool {
      if take("<") {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
        rest = rest[(end + 1)...]
        return true
      }
      let letters = rest.prefix { Character(Unicode.Scalar($0)).isLetter }
      rest = rest.dropFirst(letters.count)
      return letters.count >= 3
    }

    /// `[+-]h[:m[:s]]` in seconds.
    mutating func signedTime() -> Int? {
      let sign = take("-") ? -1 : 1
      if sign == 1 { _ = take("+") }
      guard var seconds = number(upTo: 167).map({ $0 * 3600 }) else { return nil }
      for unit in [60, 1] where take(":") {
        guard let part = number(upTo: 59) else { return nil }
        seconds += part * unit
      }
      return sign * seconds
    }

    mutating func yearlyMoment() -> YearlyMoment? {
      guard let day = day() else { return nil }
      guard take("/") else { return YearlyMoment(day: day, time: 7200) }
      return signedTime().map { YearlyMoment(day: day, time: $0) }
    }

    private mutating func day() -> Day? {
      if take("J") {
        return number(upTo: 365).flatMap { $0 > 0 ? .dayOfCommonYear($0) : nil }
      }
      guard take("M") else { return number(upTo: 365).map(Day.dayOfYear) }
      guard let month = number(upTo: 12), month > 0, take("."), let week = number(upTo: 5),
        week > 0, take("."), let weekday = number(upTo: 6)
      else { return nil }
      return .weekday(month: month, week: week, weekday: weekday)
    }

    private mutating func number(upTo limit: Int) -> Int? {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      return Digits.value(digits).flatMap { $0 <= limit ? $0 : nil }
    }
  }
}
