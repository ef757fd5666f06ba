import HealthModel

/// Goes through events in the order of time.
struct Sweep {
  struct Item {
    var event: Int
    var value: RevisionID?
  }

  let events: [RaceHistory.Event]

  init(_ events: [RaceHistory.Event]) { self.events = events }

  /// The first of `later` that is below one of `earlier` that had ended before it began.
  func firstFall(from earlier: [Item], to later: [Item]) -> (Int, Int)? {
    let ended = earlier.sorted { end($0) < end($1) }
    let begun = later.sorted { events[$0.event].from < events[$1.event].from }
    var next = 0
    var greatest: Item?
    for item in begun {
      while next < ended.count, end(ended[next]) < events[item.event].from {
        if let value = ended[next].value, greatest?.value.map({ $0 < value }) ?? true {
          greatest = ended[next]
        }
        next += 1
      }
      guard let greatest, let bound = greatest.value else { continue }
      if item.value.map({ $0 < bound }) ?? true { return (greatest.event, item.event) }
    }
    return nil
  }

  private func end(_ item: Item) -> Int { events[item.event].to ?? .max }
}
