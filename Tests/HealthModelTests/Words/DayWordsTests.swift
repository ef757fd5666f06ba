import StoreTesting
import TestSupport
import Testing

@testable import HealthModel

/// Joining the words of sources is commutative, associative and idempotent.
@Suite(.unit) struct DayWordsTests {
  @Test func `any order of joining gives the same words`() {
    var random = SplitMix64(seed: 19)
    for _ in 0..<TestDepth.full(20_000, usual: 3000) {
      let sets = (0..<3).map { _ in
        DayWords(
          (0..<Int.random(in: 0...6, using: &random)).map { _ in WordSample.random(&random) })
      }
      let (a, b, c) = (sets[0], sets[1], sets[2])
      #expect(a.joined(b) == b.joined(a))
      #expect(a.joined(b).joined(c) == a.joined(b.joined(c)))
      #expect(a.joined(a) == a)
      #expect(a.joined(b).joined(b) == a.joined(b))
    }
  }

  @Test func `a day keeps at most four words of a source, group and zone`() {
    var words = DayWords()
    // A window of a whole day that slides, and an hour at a time.
    for minute in stride(from: 0, to: 24 * 60, by: 5) {
      let hour = Double(minute) / 60
      words.join(WordSample.steps(9000 - hour, at: 24 + hour, hour, 24))
      words.join(WordSample.steps(100, at: hour + 1, hour, hour + 1))
      words.join(WordSample.steps(100, at: hour + 1, 0, hour + 1))
      words.join(WordSample.steps(100, at: 30, 0, 24))
    }
    #expect(words.count == 4)
  }

  @Test
  func `equal numbers said again add nothing, and an authority's do if a figure would change`() {
    let held = DayWords([
      WordSample.steps(8000, at: 10, 0, 10),
      WordSample.steps(9000, .appleHealthExport, at: 30, authority: true),
    ])
    #expect(held.news([WordSample.steps(8000, at: 12, 0, 12)]).isEmpty)
    #expect(held.news([WordSample.steps(8001, at: 12, 0, 12)]).count == 1)
    // The rest of the day is news, even with the same number.
    #expect(held.news([WordSample.steps(8000, at: 25)]).count == 1)
    let export = WordSample.steps(9000, .appleHealthExport, at: 60, authority: true)
    #expect(held.news([export]).isEmpty)
    let corrected = held.joined(
      DayWords([WordSample.steps(7500, .metricsJSON, at: 50, authority: true)]))
    #expect(corrected.news([export]) == [export])
  }

  @Test func `R20 a source says again what it has said before it insisted on a part of the day`() {
    let whole = WordSample.steps(9000, at: 30, loose: true)
    let again = WordSample.steps(9000, at: 60, loose: true)
    func held(_ part: Word) -> DayWords { DayWords([whole, part]) }
    #expect(held(WordSample.steps(500, at: 50, 0, 12)).news([again]).isEmpty)
    let forced = held(WordSample.steps(500, at: 50, 0, 12, authority: true))
    #expect(WordSample.steps(of: Array(forced.all)) == 500)
    #expect(forced.news([again]) == [again])
    #expect(WordSample.steps(of: Array(forced.joined(DayWords([again])).all)) == 9000)
    #expect(forced.news([WordSample.steps(9000, at: 40, loose: true)]).isEmpty)
  }
}
