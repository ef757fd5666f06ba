import StoreTesting
import TestSupport
import Testing

@testable import HealthModel

/// A day's figures are a function of its words.
@Suite(.unit) struct FoldTests {
  @Test func `a file that begins at the traveller's midnight takes nothing away`() {
    let morning = WordSample.steps(8000, at: 20, 0, 20, loose: true)
    let overwritten = WordSample.steps(4000, at: 33, 9, 24, loose: true)
    #expect(WordSample.steps(of: [morning, overwritten]) == 8000)
    #expect(
      WordSample.steps(of: [
        morning, overwritten, WordSample.steps(8000, .streams, at: 40, loose: true),
      ])
        == 8000)
  }

  @Test func `parts of a day that do not overlap add up, others do not`() {
    let first = WordSample.steps(240, at: 30, 0, 6)
    #expect(WordSample.steps(of: [first, WordSample.steps(180, at: 40, 6, 24)]) == 420)
    #expect(WordSample.steps(of: [first, WordSample.steps(180, at: 40, 5, 24)]) == 240)
    #expect(
      WordSample.steps(of: [
        first, WordSample.steps(180, at: 40, 6, 24), WordSample.steps(230, at: 50, 0, 6),
      ]) == 410)
  }

  @Test func `forty steps of a late stream do not replace an export's, and a later export counts`()
  {
    let export = WordSample.steps(12_000, .appleHealthExport, at: 30, authority: true)
    let late = WordSample.steps(40, .streams, at: 50, loose: true)
    #expect(WordSample.steps(of: [export, late]) == 12_000)
    #expect(
      WordSample.steps(of: [
        export, late, WordSample.steps(nil, .appleHealthExport, at: 60, authority: true),
      ])
        == nil)
    // A phone that goes on raises the day.
    #expect(
      WordSample.steps(of: [export, WordSample.steps(12_500, .streams, at: 50, loose: true)])
        == 12_500)
    #expect(
      WordSample.steps(of: [export, WordSample.steps(12_500, .streams, at: 20, 0, 20, loose: true)])
        == 12_000)
  }

  @Test func `a mean of the whole day comes before a later one of loose samples`() {
    func rate(_ number: Double, _ source: DataSource, at hour: Double, loose: Bool) -> Word {
      WordSample.word(.restingHeartRate, [.value(number)], source, at: hour, loose: loose)
    }
    let words = DayWords([
      rate(58, .healthAutoExport, at: 30, loose: false), rate(71, .streams, at: 60, loose: true),
    ])
    #expect(Fold(words).reading(of: .restingHeartRate) == .value(58))
  }

  @Test func `of sums the latest complete one counts, else the greatest, a reason never`() {
    func kit(_ number: Double, at hour: Double, _ from: Double = 0, _ to: Double = 24) -> Word {
      WordSample.steps(number, .healthKit, at: hour, from, to)
    }
    let export = WordSample.steps(12_000, .appleHealthExport, at: 30)
    let morning = kit(1000, at: 40, 0, 6)
    #expect(WordSample.steps(of: [export, morning, kit(2000, at: 40, 6, 24)]) == 3000)
    // Neither a part of a day is complete, nor parts with a gap.
    #expect(WordSample.steps(of: [export, morning]) == 12_000)
    #expect(WordSample.steps(of: [export, morning, kit(2000, at: 40, 8, 24)]) == 12_000)
    let loose = WordSample.steps(5000, .streams, at: 40, loose: true)
    #expect(WordSample.steps(of: [WordSample.steps(8000, at: 30, loose: true), loose]) == 8000)
    #expect(WordSample.steps(of: [kit(100, at: 30), WordSample.steps(nil, at: 40)]) == 100)
  }

  @Test func `of means the widest counts, of these the latest, of those the lesser name`() {
    func rate(
      _ number: Double, _ source: DataSource, at hour: Double, to last: Double = 24,
      loose: Bool = true
    ) -> Word {
      WordSample.word(
        .restingHeartRate, [.value(number)], source, at: hour, 0, last, loose: loose)
    }
    func mean(_ words: [Word]) -> Double? {
      Fold(DayWords(words)).reading(of: .restingHeartRate).number
    }
    let first = rate(58, .streams, at: 30)
    #expect(mean([first, rate(71, .healthKit, at: 40, to: 12)]) == 58)
    #expect(mean([first, rate(71, .healthKit, at: 40)]) == 71)
    #expect(
      mean([
        rate(58, .streams, at: 30, loose: false), rate(71, .healthKit, at: 30, loose: false),
      ]) == 71)
  }

  @Test func `a correction by hand counts, up and down, until a new number or an export`() {
    let payload = WordSample.steps(8000, at: 30, loose: true)
    for number in [7500.0, 9000] {
      let corrected = [payload, WordSample.steps(number, .metricsJSON, at: 40, authority: true)]
      #expect(WordSample.steps(of: corrected) == number)
      // The payload once more says nothing new; an export made later does.
      let again = DayWords(corrected).news([WordSample.steps(8000, at: 50, loose: true)])
      #expect(again.isEmpty)
      #expect(
        WordSample.steps(
          of: corrected + [WordSample.steps(8100, .appleHealthExport, at: 60, authority: true)])
          == 8100)
    }
  }

  @Test func `a night and a pair come from one source`() {
    let watch = WordSample.word(
      .sleepAsleep, [.value(420), .value(200), .value(100), .value(120), .value(10)],
      .healthAutoExport, at: 30, 0, 24, loose: true)
    let phone = WordSample.word(
      .sleepAsleep, [.value(300), .noData, .noData, .noData, .noData], .appleHealthExport, at: 40,
      authority: true)
    let fold = Fold(DayWords([watch, phone]))
    #expect(fold.reading(of: .sleepAsleep) == .value(300))
    #expect(fold.reading(of: .sleepCore) == .noData)
    let pressures = Fold(
      DayWords([
        WordSample.word(.bloodPressureSystolic, [.value(120), .value(80)], .streams, at: 30),
        WordSample.word(.bloodPressureSystolic, [.value(140), .value(95)], .healthKit, at: 35),
      ]))
    #expect(pressures.reading(of: .bloodPressureSystolic) == .value(140))
    #expect(pressures.reading(of: .bloodPressureDiastolic) == .value(95))
  }

  @Test func `another zone's number counts only where the day's zone has none`() {
    let old = WordSample.steps(5000, at: 30, zone: "Asia/Tokyo", isZoneSet: true)
    let weight = WordSample.word(
      .weight, [.value(80)], .healthAutoExport, at: 50, isZoneSet: true)
    var words = DayWords([old, weight])
    #expect(Fold(words).zone == "UTC")
    #expect(Fold(words).reading(of: .steps) == .value(5000))
    words.join(WordSample.steps(nil, at: 50, isZoneSet: true))
    #expect(Fold(words).reading(of: .steps) == .noData)
  }

  @Test
  func `beside a part of the day, another zone's number counts where it is of all of its day`() {
    let part = WordSample.steps(100, at: 12, 0, 12, isZoneSet: true)
    func inTokyo(_ from: Double, _ to: Double) -> Word {
      WordSample.steps(5000, at: to, from, to, zone: "Asia/Tokyo")
    }
    #expect(WordSample.steps(of: [part, inTokyo(-9, 14)]) == 100)
    #expect(WordSample.steps(of: [part, inTokyo(-9, 15)]) == 5000)
  }

  @Test func `what nobody is known to have said gives way to a later word as wide`() {
    let old = WordSample.steps(8000, .unknown, at: 30)
    #expect(WordSample.steps(of: [old, WordSample.steps(7000, at: 40)]) == 7000)
    #expect(
      WordSample.steps(of: [old, WordSample.steps(40, .streams, at: 40, loose: true)]) == 8000)
  }

  @Test func `each source speaking once more at the end, any order gives the same figures`() {
    var random = SplitMix64(seed: 20)
    for _ in 0..<TestDepth.full(5000, usual: 800) {
      let said = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        WordSample.random(&random, group: [.steps, .sleepAsleep].randomElement(using: &random))
      }
      func publish(_ order: [Word]) -> DayWords {
        order.reduce(into: DayWords()) { day, word in day.join(DayWords(day.news([word]))) }
      }
      let last = Dictionary(grouping: said, by: \.register).compactMap {
        $1.max { $1.outranks($0) }
      }
      let ways = (0..<2).map { _ in
        publish(said.shuffled(using: &random) + last.shuffled(using: &random))
      }
      #expect(Fold(ways[0]).readings == Fold(ways[1]).readings)
    }
  }
}
