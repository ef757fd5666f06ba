import Foundation
import TestSupport
import Testing

@testable import HealthSources

/// The words that phones write for the halves of the day.
@Suite(.process, .peers) struct DayHalvesTests {
  /// The languages of the phone's system, as Apple lists them, and regions with words of their own.
  static let languages = """
    ar bg bn ca cs da de el en en_AU en_CA en_GB en_IE en_IN es es_419 es_MX es_US fi fr fr_CA gu he hi \
    hr hu id it ja kk kn ko lt ml mr ms nb nl or pa pl pt pt_PT ro ru sk sl sv ta te th tr uk ur vi zh \
    zh_Hant zh_Hant_HK
    """.split(separator: " ").map { String($0) }

  @Test func `each half of the day in the phone's languages is known, by another copy of CLDR`()
    async throws
  {
    let printed = try await PeerPython.run(
      "day_halves.py", arguments: Self.languages, in: .all)
    let halves = try JSONDecoder().decode([String: [String: [String]]].self, from: Data(printed))
    #expect(halves.count == Self.languages.count)
    for (language, words) in halves {
      for (half, hours) in [("am", 0..<12), ("pm", 12..<24)] {
        for word in try #require(words[half]) {
          #expect(DayHalves.hours(word) == hours, "\(language): \(word)")
        }
      }
    }
  }
}
