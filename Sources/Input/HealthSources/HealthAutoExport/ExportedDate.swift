internal import HealthModel

/// A date as Health Auto Export writes it, with the phone's UTC offset at the time of the export.
///
/// Forms: `2024-06-10 08:00:00 +0200`; with the 12-hour clock `2024-06-10 8:00:00 am +0200`, the half of
/// the day before or after the time and in any of the phone's languages (`DayHalves`); ISO 8601 with `T`,
/// fractional seconds (dropped), `+02:00` and `Z`; a date alone. Digits of any script, and no-break spaces
/// for blanks. Years 1900 to 2199, or the Buddhist years 2443 to 2742, which are 543 ahead.
struct ExportedDate {
  /// The date as written, whatever the zone.
  let date: CalendarDate
  /// Seconds after midnight as written.
  let secondsOfDay: Int
  /// Seconds since 1970; nil for a date alone.
  let moment: Int?
  /// Seconds east of UTC; nil for a date alone.
  let offset: Int?
  /// Whether it ends in `Z`: then the offset does not show the zone in which it was written.
  let isUTC: Bool
  /// Whether its year is one of the Buddhist calendar.
  let isBuddhist: Bool

  /// The years that are taken.
  static let years = 1900...2199
  /// How far Buddhist years are ahead.
  static let buddhistShift = 543

  /// Why a text is not a date.
  enum Fault: Error {
    /// Of another form, or a date that does not exist.
    case form
    /// Not a text.
    case noText
    /// A year that neither calendar has.
    case year
    /// The half of the day is not known, or does not fit the hour.
    case half(String)

    /// What is wrong with a text, and the phone's setting that may be the cause.
    func words(of text: String) -> String {
      let text = "'\(text.prefix(40))'"
      switch self {
      case .noText: return "the date is not a string"
      case .form: return "\(text) is not a date"
      case .year:
        return
          "\(text) is not in the years \(years.lowerBound) to \(years.upperBound): \(Self.calendar)"
      case .half(let half):
        return
          "\(text) is not a date: '\(half.prefix(20))' does not name the half of the day that the hour is in; "
          + Self.clock
      }
    }

    /// What to change on the phone, if a setting of it may be the cause.
    var setting: String? {
      switch self {
      case .noText, .form: nil
      case .year: Self.calendar
      case .half: Self.clock
      }
    }

    static let calendar =
      "if the phone counts other years, choose Gregorian in its Settings > General > "
      + "Language & Region > Calendar, and export again"
    static let clock =
      "switch on 24-Hour Time in the phone's Settings > General > Date & Time, and export again"
  }

  /// Nil for any other form, a date that does not exist, or a time without an offset.
  init?(_ text: String) {
    do throws(Fault) { self = try Self.read(text) } catch { return nil }
  }

  /// What is wrong with a date that Apple's export has, and the phone's setting that is the cause; nil where
  /// none is. That export writes all dates alike, so what can be read here is in another clock or in other
  /// digits.
  static func setting(of text: String) -> String? {
    do throws(Fault) {
      _ = try read(text)
    } catch {
      return error.setting == nil ? nil : error.words(of: text)
    }
    let hasOtherDigits = text.unicodeScalars.contains {
      $0.value >= 0x80 && $0.properties.generalCategory == .decimalNumber
    }
    let cause =
      hasOtherDigits
      ? "in other digits than 0 to 9: choose these in the phone's Settings > General > "
        + "Language & Region > Numbers, and export again" : "with a 12-hour clock: " + Fault.clock
    return "'\(text.prefix(40))' is written \(cause)"
  }

  private init(
    _ date: CalendarDate, isBuddhist: Bool, seconds: Int, offset: Int?, isUTC: Bool
  ) {
    (self.date, self.isBuddhist, secondsOfDay) = (date, isBuddhist, seconds)
    (self.offset, self.isUTC) = (offset, isUTC)
    moment = offset.map { date.daysSince1970 * 86_400 + seconds - $0 }
  }

  /// Reads a text, or says what is wrong with it.
  static func read(_ text: String) throws(Fault) -> ExportedDate {
    guard text.utf8.count <= 160 else { throw .form }
    let bytes = Array(text.utf8)
    var rest = (bytes.allSatisfy { $0 < 0x80 } ? bytes : plain(text))[...]
    while rest.last == UInt8(ascii: " ") { rest = rest.dropLast() }
    let (date, isBuddhist) = try day(&rest)
    if rest.isEmpty {
      return ExportedDate(date, isBuddhist: isBuddhist, seconds: 0, offset: nil, isUTC: false)
    }
    let hasSeparator = skipBlanks(&rest) || take(UInt8(ascii: "T"), &rest)
    let before = word(&rest)
    skipBlanks(&rest)
    guard hasSeparator || !before.isEmpty, let clock = clock(&rest) else { throw .form }
    skipBlanks(&rest)
    let isUTC = rest.elementsEqual([UInt8(ascii: "Z")])
    let after = isUTC ? "" : word(&rest)
    skipBlanks(&rest)
    guard before.isEmpty || after.isEmpty, let offset = offset(&rest), rest.isEmpty else {
      throw .form
    }
    let seconds = try seconds(clock, half: before + after)
    return ExportedDate(
      date, isBuddhist: isBuddhist, seconds: seconds, offset: offset, isUTC: isUTC)
  }

  /// Notes its offset. One in UTC (`Z`) does not show the zone in which it was written.
  func note(in offsets: inout WrittenOffsets) {
    guard let moment, let offset, !isUTC else { return }
    offsets.note(offset, at: moment)
  }

  /// `YYYY-MM-DD`.
  private static func day(
    _ rest: inout ArraySlice<UInt8>
  ) throws(Fault) -> (CalendarDate, isBuddhist: Bool) {
    let hyphen = UInt8(ascii: "-")
    guard let year = number(&rest, digits: 4...4), take(hyphen, &rest),
      let month = number(&rest, digits: 2...2), take(hyphen, &rest),
      let day = number(&rest, digits: 2...2)
    else { throw .form }
    let isBuddhist = !years.contains(year) && years.contains(year - buddhistShift)
    guard isBuddhist || years.contains(year) else { throw .year }
    guard
      let date = CalendarDate(
        year: isBuddhist ? year - buddhistShift : year, month: month, day: day)
    else { throw .form }
    return (date, isBuddhist)
  }

  /// Hours, minutes and seconds as they are written.
  private static func clock(
    _ rest: inout ArraySlice<UInt8>
  ) -> (hour: Int, minute: Int, second: Int)? {
    guard let hour = number(&rest, digits: 1...2), take(UInt8(ascii: ":"), &rest),
      let minute = number(&rest, digits: 2...2), minute < 60
    else { return nil }
    var second = 0
    if take(UInt8(ascii: ":"), &rest) {
      guard let given = number(&rest, digits: 2...2), given < 60 else { return nil }
      second = given
      if take(UInt8(ascii: "."), &rest) {
        guard number(&rest, digits: 1...9) != nil else { return nil }
      }
    }
    return (hour, minute, second)
  }

  /// Seconds after midnight.
  private static func seconds(
    _ clock: (hour: Int, minute: Int, second: Int), half: String
  ) throws(Fault) -> Int {
    var hour = clock.hour
    if !half.isEmpty {
      guard let own = DayHalves.hours(half).flatMap({ DayHalves.hour(hour, in: $0) }) else {
        throw .half(half)
      }
      hour = own
    }
    guard hour < 24 else { throw .form }
    return hour * 3600 + clock.minute * 60 + clock.second
  }

  /// Letters with the points and blanks between them; empty if there are none.
  private static func word(_ rest: inout ArraySlice<UInt8>) -> String {
    let found = rest.prefix { byte in
      byte >= 0x80 || byte == UInt8(ascii: ".") || byte == UInt8(ascii: " ")
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    guard found.contains(where: { $0 >= 0x41 }) else { return "" }
    rest = rest.dropFirst(found.count)
    return String(decoding: found, as: UTF8.self).trimmed
  }

  /// `+HHMM`, `+HH:MM` or `Z`, in seconds.
  private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
    if take(UInt8(ascii: "Z"), &rest) { return 0 }
    let isWest = take(UInt8(ascii: "-"), &rest)
    guard isWest || take(UInt8(ascii: "+"), &rest), let hour = number(&rest, digits: 2...2) else {
      return nil
    }
    _ = take(UInt8(ascii: ":"), &rest)
    guard let minute = number(&rest, digits: 2...2), hour <= 18, minute < 60 else { return nil }
    return (hour * 3600 + minute * 60) * (isWest ? -1 : 1)
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
    var value = 0
    var count = 0
    while count < digits.upperBound, let byte = rest.first,
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    {
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      count += 1
      rest = rest.dropFirst()
    }
    return count >= digits.lowerBound ? value : nil
  }

  private static func take(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == byte else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// True if there was any.
  @discardableResult
  private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) -> Bool {
    let before = rest.count
    rest = rest.drop { $0 == UInt8(ascii: " ") }
    return rest.count < before
  }

  /// With the digits of any script, the spaces and the signs of ASCII, and without marks of direction.
  private static func plain(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .decimalNumber:
        bytes.append(UInt8(ascii: "0") + UInt8(scalar.properties.numericValue ?? 0))
      case .spaceSeparator: bytes.append(UInt8(ascii: " "))
      case .format: break
      case _ where scalar == "\u{2212}" || scalar == "\u{2010}" || scalar == "\u{2011}":
        bytes.append(UInt8(ascii: "-"))
      case _ where scalar == "\u{FF1A}": bytes.append(UInt8(ascii: ":"))
      default: bytes += Array(String(scalar).utf8)
      }
    }
    return bytes
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first == " " { text = text.dropFirst() }
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }
}

/// The halves of the day, as a phone writes them beside a 12-hour clock in its language.
///
/// The words are those of the Unicode Common Locale Data Repository, `dayPeriods` `am` and `pm`, wide and
/// abbreviated: CLDR 37, and that of Babel 2.19, which older and newer systems have. Of Chinese also the
/// parts of the day, with their hours (`dayPeriodRules`). They are compared without points, spaces and
/// case.
enum DayHalves {
  /// The hours that a word may stand for; nil for one that is not known.
  static func hours(_ word: String) -> Range<Int>? { byWord[folded(word)] }

  /// The hour of the day that a word makes of an hour of a 12-hour clock, whose 12 may be a 0. Nil unless
  /// exactly one fits.
  static func hour(_ hour: Int, in span: Range<Int>) -> Int? {
    guard (0...12).contains(hour) else { return nil }
    let fitting = [hour % 12, hour % 12 + 12].filter(span.contains)
    return fitting.count == 1 ? fitting[0] : nil
  }

  private static func folded(_ word: String) -> String {
    String(
      String.UnicodeScalarView(
        word.lowercased().unicodeScalars.filter {
          switch $0.properties.generalCategory {
          case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark: true
          default: false
          }
        }))
  }

  private static let byWord: [String: Range<Int>] = {
    var hours = ["am": 0..<12, "pm": 12..<24]
    for (_, before, after) in words {
      for word in before { hours[folded(word)] = 0..<12 }
      for word in after { hours[folded(word)] = 12..<24 }
    }
    for (word, span) in chinese { hours[word] = span }
    return hours
  }()

  private static let chinese = [
    "凌晨": 0..<5, "清晨": 5..<8, "早上": 5..<8, "中午": 12..<13, "晚上": 19..<24,
  ]

  /// By language. Those that are not here write AM and PM.
  private static let words: [(language: String, before: [String], after: [String])] = [
    ("ar", ["ص", "صباحًا"], ["م", "مساءً"]),
    ("bg", ["проб"], ["слоб"]),
    ("cs", ["dop"], ["odp"]),
    ("el", ["πμ"], ["μμ"]),
    ("fa", ["قبلازظهر", "قظ"], ["بظ", "بعدازظهر"]),
    ("fi", ["ap"], ["ip"]),
    ("he", ["לפנהצ"], ["אחהצ"]),
    ("hu", ["de"], ["du"]),
    ("ja", ["午前"], ["午後"]),
    ("kn", ["ಪೂರ್ವಾಹ್ನ"], ["ಅಪರಾಹ್ನ"]),
    ("ko", ["오전"], ["오후"]),
    ("lt", ["priešpiet"], ["popiet"]),
    ("mr", ["मपू"], ["मउ"]),
    ("ms", ["pg"], ["ptg"]),
    ("nn", ["fm", "formiddag"], ["em", "ettermiddag"]),
    ("or", ["ପୂର୍ବାହ୍ନ"], ["ଅପରାହ୍ନ"]),
    ("pa", ["ਪੂਦੁ"], ["ਬਾਦੁ"]),
    ("pt-PT", ["damanhã", "manhã"], ["datarde", "tarde"]),
    ("sl", ["dop", "dopoldne"], ["pop", "popoldne"]),
    ("sq", ["eparadites", "paradite", "pd"], ["epasdites", "md", "pasdite"]),
    ("sr", ["преподне"], ["поподне"]),
    ("sv", ["fm", "förmiddag"], ["eftermiddag", "em"]),
    ("ta", ["முற்பகல்"], ["பிற்பகல்"]),
    ("th", ["ก่อนเที่ยง"], ["หลังเที่ยง"]),
    ("tr", ["öö"], ["ös"]),
    ("uk", ["дп"], ["пп"]),
    ("vi", ["sa"], ["ch"]),
    ("zh", ["上午"], ["下午"]),
    (
      "lv", ["priekšp", "priekšpusdiena", "priekšpusdienā"],
      ["pēcp", "pēcpusd", "pēcpusdiena", "pēcpusdienā"]
    ),
    ("is", ["fh"], ["eh"]),
    ("mk", ["претпл", "претпладне"], ["попл", "попладне"]),
    ("ne", ["पूर्वाह्न"], ["अपराह्न"]),
    ("si", ["පෙව"], ["පව"]),
    ("lo", ["ກ່ອນທ່ຽງ"], ["ຫຼັງທ່ຽງ"]),
    ("my", ["နံနက်"], ["ညနေ"]),
    ("mn", ["үө"], ["үх"]),
    ("uz", ["to"], ["tk"]),
    ("af", ["vm"], ["nm"]),
    ("ga", ["rn"], ["in"]),
    ("cy", ["yb"], ["yh"]),
  ]
}
