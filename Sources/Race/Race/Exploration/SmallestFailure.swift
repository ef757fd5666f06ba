/// Makes what fails smaller, in any world: the first candidate that still fails, and weighs less, is
/// made smaller in its turn, until no candidate does.
///
/// - Parameters:
///   - failing: what is known to fail.
///   - candidates: what to try instead of something that fails, best first.
///   - replay: plays a candidate; nil if it does not break the same promise.
func smallestFailure<Failing, Candidates: Sequence>(
  from failing: Failing, weight: (Failing) -> Int, candidates: (Failing) -> Candidates,
  replay: (Candidates.Element) -> Failing?
) -> Failing {
  var best = failing
  while true {
    let least = weight(best)
    var next: Failing?
    for candidate in candidates(best) {
      guard let run = replay(candidate), weight(run) < least else { continue }
      next = run
      break
    }
    guard let next else { return best }
    best = next
  }
}

extension Array {
  /// The array without some neighbours: so many of them at each place, from its end on, for each of
  /// the lengths.
  func shortened(by lengths: [Int]) -> some Sequence<[Element]> {
    lengths.lazy.filter { $0 <= self.count }.flatMap { length in
      (0...(self.count - length)).lazy.reversed().map { place in
        var fewer = self
        fewer.removeSubrange(place..<(place + length))
        return fewer
      }
    }
  }
}
