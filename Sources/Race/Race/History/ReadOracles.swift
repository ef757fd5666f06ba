import HealthModel

/// What readers are promised, checked in terms of two events each. The linearizability check finds
/// more, but these give shorter explanations.
extension RaceHistory {
  /// A resolve that began after an acknowledgement returns at least that revision (R30).
  func acknowledgedUnread() -> HistoryFinding? {
    Sweep(events).firstFall(from: items(acknowledged), to: items(read)).map { earlier, later in
      HistoryFinding(
        oracle: .acknowledgedUnread,
        message: "\(name(earlier)) was acknowledged, and then a resolve returned \(name(later))",
        events: [earlier, later])
    }
  }

  /// For each client separately: it reads its own writes, and its reads never go back.
  func session() -> HistoryFinding? {
    var earlier: [String: [Sweep.Item]] = [:]
    var later: [String: [Sweep.Item]] = [:]
    for item in items(acknowledged) { earlier[events[item.event].client, default: []].append(item) }
    for item in items(read) {
      earlier[events[item.event].client, default: []].append(item)
      later[events[item.event].client, default: []].append(item)
    }
    for client in later.keys.sorted() {
      guard
        let (first, second) = Sweep(events).firstFall(
          from: earlier[client] ?? [], to: later[client] ?? [])
      else { continue }
      return HistoryFinding(
        oracle: .session,
        message: "\(client) knew of \(name(first)), and then got \(name(second))",
        events: [first, second])
    }
    return nil
  }

  /// Where nobody publishes any more, each metric shows the greatest number of all that was acknowledged: the
  /// sources' sums of a day that is not over (R20). Each source's own numbers grow.
  func wordLost() -> HistoryFinding? {
    for (index, event) in events.enumerated() {
      guard case .shown(let numbers) = event.observation else { continue }
      for metric in Set(events.flatMap { $0.observation.said.keys }).sorted() {
        let said = events.indices.filter { events[$0].observation.said[metric] != nil }
        let author = said.first { events[$0].observation.said[metric] == numbers[metric] }
        let lost = said.filter { place in
          (events[place].to ?? .max) < event.from
            && (events[place].observation.said[metric] ?? 0) > numbers[metric] ?? -1
        }
        guard let last = lost.max(by: { events[$0].from < events[$1].from }) else { continue }
        let shown = numbers[metric].map { "\($0)" } ?? "nothing"
        return HistoryFinding(
          oracle: .wordLost,
          message:
            "\(events[last].client) was told that \(name(last)) is published, and at the end "
            + "the day shows \(shown) as \(metric)",
          events: [author, last, index].compactMap(\.self))
      }
    }
    return nil
  }

  private func items(_ value: (Event) -> RevisionID??) -> [Sweep.Item] {
    events.indices.compactMap { index in
      value(events[index]).map { Sweep.Item(event: index, value: $0) }
    }
  }

  private func acknowledged(_ event: Event) -> RevisionID?? {
    if case .write(let id, _, _, _) = event.observation, event.to != nil { id } else { nil }
  }

  private func read(_ event: Event) -> RevisionID?? {
    if case .read(let id) = event.observation { .some(id) } else { nil }
  }
}

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

extension RaceHistory.Observation {
  fileprivate var said: [String: Double] {
    if case .said(let numbers) = self { numbers } else { [:] }
  }
}

extension [String: Double] {
  /// For people: `steps 12`.
  package var words: String {
    sorted { $0.key < $1.key }.map { "\($0.key) \(Int($0.value))" }.joined(separator: ", ")
  }
}
