import HealthModel

extension RaceHistory {
  /// The part of the history that is enough to show a finding, in order of time.
  ///
  /// This is sound: what is removed can't be the cause of the finding. A write is removed only
  /// together with all reads of its value. Reads, pointer reads and open ends may always be
  /// removed.
  package func counterexample(to finding: HistoryFinding) -> RaceHistory {
    var kept = finding.events
    if finding.oracle == .linearizability { kept = refuting(finding) }
    var cut = self
    cut.events = Set(kept).sorted { (events[$0].from, $0) < (events[$1].from, $1) }
      .map { events[$0] }
    return cut
  }

  private func refuting(_ finding: HistoryFinding) -> [Int] {
    var writes: [Int] = []
    var reads: [Int] = []
    for index in events.indices {
      switch events[index].observation {
      case .write: writes.append(index)
      case .read: reads.append(index)
      case .pointer, .revision, .said, .shown: break
      }
    }
    let concerned = Set(finding.events)
    let told = reads.filter(concerned.contains)
    reads = minimal(isRefuted(writes + told) ? told : reads) { isRefuted(writes + $0) }
    let values = Set(reads.compactMap { value($0) })
    let needed = writes.filter { value($0).map(values.contains) ?? false }
    let others = writes.filter { !needed.contains($0) }
    let kept = minimal(others) { isRefuted(needed + reads + $0) }
    return needed + kept + reads
  }

  private func value(_ index: Int) -> RevisionID? {
    switch events[index].observation {
    case .write(let id, _, _, _): id
    case .read(let id): id
    case .pointer, .revision, .said, .shown: nil
    }
  }

  private func isRefuted(_ kept: [Int]) -> Bool {
    var part = self
    part.events = kept.map { events[$0] }
    return part.linearizability() != nil
  }

  /// A subset of `items` that still fails and from which no single one can be removed.
  private func minimal(_ items: [Int], _ fails: ([Int]) -> Bool) -> [Int] {
    var items = items
    var size = max(1, items.count / 2)
    while true {
      var start = 0
      while start < items.count {
        let end = min(start + size, items.count)
        let rest = Array(items[..<start] + items[end...])
        if fails(rest) { items = rest } else { start = end }
      }
      if size == 1 { return items }
      size = max(1, size / 2)
    }
  }
}
