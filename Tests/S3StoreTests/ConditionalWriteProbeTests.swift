import ObjectStore
import Testing

@testable import S3Store

/// The probe's decisions, without a server.
@Suite(.unit) struct ConditionalWriteProbeTests {
  /// Runs a probe on a table of objects that may be told to break a rule.
  private func run(
    race: ConditionalWriteProbe.Race? = nil, failing position: Int? = nil,
    with error: StoreError = StoreError(.unavailable, "cut"),
    winners: Int = 1, unclear: Int = 0, conflicts: (Int, Int) -> Int = { _, _ in 0 },
    met: Int? = nil, spelling: ETagSpelling = .quoted
  ) -> (probe: ConditionalWriteProbe, requests: Int) {
    var probe = ConditionalWriteProbe(race: race)
    var objects: [ConditionalWriteProbe.Slot: Int] = [:]
    func etag(_ body: Int) -> ETag { ETag("\"\(body)\"") }
    func holds(_ slot: ConditionalWriteProbe.Slot, _ condition: ConditionalWriteProbe.Condition)
      -> Bool
    {
      switch condition {
      case .absent: objects[slot] == nil
      case .none: true
      case .matches(let expected, let spelled):
        spelled == spelling && objects[slot].map { etag($0) == expected } ?? false
      }
    }
    var action = probe.begin()
    var requests = 0
    var bodies = 100
    while action != .finish {
      requests += 1
      var answer: ConditionalWriteProbe.Answer
      switch action {
      case .put(let slot, let body, let condition):
        if holds(slot, condition) {
          objects[slot] = body
          answer = .stored(etag(body))
        } else {
          answer = .refused
        }
      case .read(let slot): answer = objects[slot].map { .found(body: $0, etag($0)) } ?? .nothing
      case .list: answer = .listed(isShown: objects[.main] != nil)
      case .race(let heats, let writers):
        let lanes = heats.enumerated().map { lane, heat in
          let conflicts = conflicts(lane, heats.count)
          let told = holds(heat.slot, heat.condition) && conflicts == 0 ? winners : 0
          bodies += writers
          if told > 0 { objects[heat.slot] = bodies }
          return ConditionalWriteProbe.Lane(
            winners: Array((bodies..<bodies + writers).prefix(told)), unclear: unclear,
            conflicts: conflicts, before: heat.before, stored: objects[heat.slot],
            etag: objects[heat.slot].map(etag))
        }
        answer = .raced(heats, lanes, met: met ?? heats.count * writers)
      case .finish: answer = .nothing
      }
      if requests == position { answer = .failed(error) }
      action = probe.next(answer)
    }
    return (probe, requests)
  }

  @Test func `a sound store takes twelve requests, one more with the other spelling`() {
    let quoted = run()
    #expect(quoted.probe.verdict == .compareAndSwap(.quoted))
    #expect(quoted.requests == 12)
    #expect(quoted.probe.steps.allSatisfy { $0.outcome == .passed })
    let bare = run(spelling: .bare)
    #expect(bare.probe.verdict == .compareAndSwap(.bare))
    #expect(bare.requests == 13)
  }

  @Test func `R28: a denial at any step is a verdict of its own, and promises nothing`() {
    let denial = StoreError(.notAuthorized, "denied", serverDetail: "AccessDenied (status 403)")
    // The first two are met again.
    for position in 3...12 {
      let verdict = run(failing: position, with: denial).probe.verdict
      #expect(verdict == .denied(denial))
      #expect(verdict?.guarantee == .unsafe)
      #expect(verdict?.remedy?.description.contains("s3:PutObject") == true)
    }
  }

  @Test func `R28: credentials that are not taken at all are not a denial`() {
    for code in ["SignatureDoesNotMatch", "InvalidAccessKeyId", "ExpiredToken"] {
      let refusal = StoreError(.notAuthorized, "refused", serverDetail: "\(code) (status 403)")
      #expect(run(failing: 1, with: refusal).probe.verdict == .unknown(refusal))
    }
  }

  @Test func `no answer at any step is an unknown verdict, never a good one`() {
    let race = ConditionalWriteProbe.Race(rounds: 2)
    let all = run(race: race).requests
    #expect(all == 12 + 2 * 2)
    for position in 1...all {
      let verdict = run(race: race, failing: position).probe.verdict
      #expect(verdict == .unknown(StoreError(.unavailable, "cut")))
    }
  }

  @Test func `one winner is worded in the singular`() throws {
    for (winners, words) in [(1, "1 winner, 0 unclear"), (2, "2 winners, 0 unclear")] {
      let probe = run(race: .init(rounds: 1), winners: winners).probe
      let step = try #require(probe.steps.first { $0.name.contains("at once") })
      #expect(step.seen.hasPrefix(words), "\(step)")
    }
  }

  @Test func `R28: races whose writers did not meet are run again, and then nothing is known`() {
    let race = ConditionalWriteProbe.Race(rounds: 2)
    #expect(run(race: race, met: race.lanes + 1).probe.verdict == .compareAndSwap(.quoted))
    // A server that takes few connections at once still takes two for one object.
    #expect(run(race: race, met: 2).probe.verdict == .compareAndSwap(.quoted))
    let (probe, _) = run(race: race, met: 1)
    #expect(probe.verdict == .unmet)
    #expect(probe.verdict?.guarantee == .unsafe)
    #expect(probe.steps.filter { $0.outcome == .unclear }.count == 3)
    #expect(run(race: race, winners: 2, met: 0).probe.verdict == .racy)
  }

  @Test
  func `R28: objects for which all were in each other's way show nothing, and are raced again`() {
    let race = ConditionalWriteProbe.Race(rounds: 2)
    // Some of them: the others show enough.
    let some = run(race: race, conflicts: { $0 < 4 && $1 == 8 ? 2 : 0 }).probe
    #expect(some.verdict == .compareAndSwap(.quoted))
    #expect(some.steps.allSatisfy { $0.outcome == .passed })
    let most = run(race: race, conflicts: { lane, _ in lane < 5 ? 2 : 0 }).probe
    #expect(most.verdict == .crowded)
    let all = run(race: race, conflicts: { _, _ in 2 }).probe
    #expect(all.verdict == .crowded)
    #expect(all.verdict?.guarantee == .unsafe && all.verdict?.error?.isRetryable == true)
    #expect(all.steps.filter { $0.outcome == .unclear }.count == 3)
    #expect(all.steps.last?.seen.contains("8 of 8 without a winner") == true, "\(all.steps)")
    // Two winners of one object convict, whatever became of the others.
    #expect(
      run(race: race, winners: 2, conflicts: { lane, _ in lane < 7 ? 2 : 0 }).probe.verdict == .racy
    )
  }

  @Test func `two winners of a race convict`() {
    #expect(run(race: .init(rounds: 1), winners: 2).probe.verdict == .racy)
  }

  @Test func `no winner convicts unless somebody got no answer`() {
    let race = ConditionalWriteProbe.Race(rounds: 2)
    #expect(run(race: race, winners: 0).probe.verdict == .racy)
    #expect(run(race: race, winners: 0, unclear: 1).probe.verdict == .unmet, "it shows nothing")
  }

  @Test(arguments: ["\"0f\"", "\"d41d8cd98f00b204e9800998ecf8427e-2\"", "abc", "\"1111\""])
  func `the etag that was never given has the same form and is another`(etag: String) {
    let other = ETag(etag).neverGiven.rawValue
    #expect(other != etag)
    #expect(other.count == etag.count)
    #expect(other.hasPrefix("\"") == etag.hasPrefix("\""))
  }

  @Test(arguments: [
    ("\"a\"", "a"), ("a", "a"), ("\"", "\""), ("W/\"a\"", "W/\"a\""), ("\"\"", ""),
  ])
  func `the bare spelling takes off one pair of quotes`(etag: String, bare: String) {
    #expect(ETagSpelling.bare.header(for: ETag(etag)) == bare)
    #expect(ETagSpelling.quoted.header(for: ETag(etag)) == etag)
  }
}
