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
