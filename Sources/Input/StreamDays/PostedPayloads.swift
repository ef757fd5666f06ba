import HealthCollector
import HealthModel
import HealthSources

/// The payloads of Health Auto Export that can touch a day, and what they say of it (R55). Pure:
/// the result depends on the set of what was added, never on the order.
///
/// What was read stays read: payloads that follow the others cost what they have themselves. Then
/// the others are not held any more, but as long as a session can go on.
struct PostedPayloads: Sendable {
  /// What they say.
  struct Found: Hashable, Sendable {
    var numbers = PayloadNumbers()
    /// Remarks for people.
    var notes: [String] = []
    /// Whether rows were written in another zone than that of the day.
    var misfit: OffsetMisfit?
  }

  /// What was read of payloads for a day.
  private struct Reading {
    let day: ReportingDay
    let zones: ReportingZones
    let metrics: Set<DailyMetric>
    var reader: PayloadDay
    /// The captures that were read, each as the ids of its payloads.
    var captures: [[String]] = []
    var found: Found?
  }

  /// How long after the last payload of a session another one may follow, in seconds. An app may
  /// use one session for ever: then each time it sends is a capture of its own.
  static let sessionPause = 900

  /// The keys of the batches that were added.
  private(set) var keys: Set<String> = []
  private var posted: [PostedPayload] = []
  private var reading: Reading?

  /// No payload.
  init() {}

  /// The latest moment at which the newest of them can have been made.
  var capturedAt: Timestamp? { posted.map(\.capturedAt).max() }

  /// Adds the payloads of the batch of a key.
  mutating func add(_ payloads: [PostedPayload], _ key: String) {
    guard keys.insert(key).inserted else { return }
    reading?.found = nil
    posted += payloads
  }

  /// What they say of a day; nil if a payload is needed that is not held: then all must be added anew.
  ///
  /// - Parameters:
  ///   - zones: the zones of the day and of the dates around it.
  ///   - cache: what was read for other days.
  mutating func found(
    on day: ReportingDay, in zones: ReportingZones, metrics: Set<DailyMetric>,
    _ cache: PayloadCache
  ) throws -> Found? {
    guard !posted.isEmpty else { return Found() }
    if let reading, reading.day == day, reading.zones == zones, reading.metrics == metrics,
      let found = reading.found
    {
      return found
    }
    guard let captures = captures(cache) else { return nil }
    var reading: Reading
    if let old = self.reading, old.day == day, old.zones == zones, old.metrics == metrics,
      captures.map(\.ids).starts(with: old.captures)
    {
      reading = old
    } else {
      reading = Reading(
        day: day, zones: zones, metrics: metrics,
        reader: try PayloadDay(day.date, in: zones, metrics: metrics))
    }
    // Only one of them holds the rows, so that adding some does not copy all.
    self.reading = nil
    for capture in captures.dropFirst(reading.captures.count) {
      guard let rows = try rows(of: capture, in: zones, metrics, cache) else { return nil }
      reading.reader.add(rows)
      reading.captures.append(capture.ids)
    }
    let found = try Self.found(reading.reader, captures, posted)
    reading.found = found
    self.reading = reading
    let last = posted.map(\.receivedAt).max() ?? day.end.timestamp
    for place in posted.indices
    where posted[place].session == nil
      || last.secondsSince1970 - posted[place].receivedAt.secondsSince1970 > Self.sessionPause
    {
      posted[place].entry = nil
    }
    return found
  }

  /// What the rows of a capture say, read now unless they were for another day; nil if a payload of it
  /// is not held.
  private func rows(
    of capture: Capture, in zones: ReportingZones, _ metrics: Set<DailyMetric>,
    _ cache: PayloadCache
  ) throws -> CaptureRows? {
    let name = PayloadCache.Capture(
      ids: capture.ids, zones: zones, metrics: metrics)
    if let known = cache.rows(name) { return known }
    guard capture.places.allSatisfy({ posted[$0].entry != nil }) else { return nil }
    let rows: CaptureRows
    if capture.isInParts {
      // One at a time: all of them as values would take several times their bytes.
      rows = try CaptureRows(
        parts: capture.places.lazy.compactMap { posted[$0].payload }, rowLength: capture.rowLength,
        in: zones, metrics: metrics)
    } else {
      rows = try CaptureRows(
        capture.places.compactMap { posted[$0].payload }, rowLength: capture.rowLength,
        in: zones, metrics: metrics)
    }
    cache.keep(rows, name)
    return rows
  }

  /// About how many bytes of memory it takes.
  var cost: Int { posted.reduce(reading?.reader.cost ?? 0) { $0 + $1.cost } }

  private static func found(
    _ reader: PayloadDay, _ captures: [Capture], _ posted: [PostedPayload]
  ) throws -> Found {
    let figures = try reader.figures()
    var found = Found()
    found.numbers.raw = figures.raw
    found.numbers.unsupported = figures.unsupported
    (found.notes, found.misfit) = (figures.notes, reader.misfit)
    found.numbers.dayRows = figures.dayRows.mapValues {
      CapturedNumber($0.number, capturedAt: captures[$0.capture].capturedAt)
    }
    let coarse = posted.count { $0.isCoarse && ($0.part?.number ?? 1) == 1 }
    if coarse > 0 {
      found.notes.append(
        "Health Auto Export: \(coarse == 1 ? "1 payload was" : "\(coarse) payloads were") by the "
          + "week or longer, and not counted; set the automation to days or less")
    }
    return found
  }

  /// What the app sent at one time.
  private struct Capture {
    /// Of its payloads among those that were posted.
    var places: [Int]
    var ids: [String]
    /// Of the last of them.
    var order: PreciseMoment
    var receivedAt: Timestamp { order.timestamp }
    /// The latest moment at which the newest of them can have been made.
    var capturedAt: Timestamp
    /// The place of the last of them in the order of receipts.
    var last: Int
    /// How long the rows are, if the app says so.
    let rowLength: RowLength?
    /// Whether it is one payload in parts.
    var isInParts = false
  }

  /// In the order in which they were captured; the payloads of one session together. Nil if whether two
  /// belong together depends on one that is not held any more.
  private func captures(_ cache: PayloadCache) -> [Capture]? {
    struct Session: Hashable { var device: String, name: String, aggregation: String }
    let inOrder = PostedPayload.whole(posted).filter { !posted[$0[0]].isCoarse }
    var captures: [Capture] = []
    var open: [Session: Int] = [:]
    for (position, places) in inOrder.enumerated() {
      let one = posted[places[0]]
      let order = places.map { posted[$0].order }.max() ?? one.order
      let ids = places.map { posted[$0].id }
      let capturedAt = places.map { posted[$0].capturedAt }.max() ?? order.timestamp
      let session = one.session.map {
        Session(device: one.device, name: $0, aggregation: one.aggregation)
      }
      if let session, let index = open[session],
        order.timestamp.secondsSince1970 - captures[index].receivedAt.secondsSince1970
          <= Self.sessionPause
      {
        // If the session continued, its earlier rows would replace what was received in between with
        // other values for them.
        let since = inOrder[(captures[index].last + 1)..<position]
        guard let continues = continues(captures[index], places, since: since, cache) else {
          return nil
        }
        if continues {
          captures[index].places += places
          captures[index].ids += ids
          captures[index].capturedAt = max(captures[index].capturedAt, capturedAt)
          (captures[index].order, captures[index].last) = (order, position)
          captures[index].isInParts = false
          continue
        }
      }
      if let session { open[session] = captures.count }
      captures.append(
        Capture(
          places: places, ids: ids, order: order, capturedAt: capturedAt, last: position,
          rowLength: one.rowLength, isInParts: places.count > 1))
    }
    // A payload that waited in a queue replaces nothing that was captured after it. Of one second, a session that
    // others came between ends where its last payload came.
    return captures.enumerated().sorted { a, b in
      let (first, second) = (a.element, b.element)
      return (first.capturedAt, first.order, a.offset) < (second.capturedAt, second.order, b.offset)
    }.map(\.element)
  }

  /// Whether a payload continues a capture: it repeats no row of the capture, and no payload that was
  /// received in between has a row of the same metric and time. Batches of one capture never repeat
  /// a row; another capture would, and its rows must replace theirs. Nil if one of them is not in
  /// memory any more.
  private func continues(
    _ capture: Capture, _ others: [Int], since: ArraySlice<[Int]>, _ cache: PayloadCache
  ) -> Bool? {
    let byMoment = ["date", "startDate", "start"]
    for between in since {
      guard let areApart = areApart(capture, between, by: byMoment, cache) else { return nil }
      if !areApart { return false }
    }
    return areApart(capture, others, by: byMoment + ["source", "value"], cache)
  }

  /// Whether a payload and a capture have no row in common, compared by the name of the metric and
  /// some members of the row.
  private func areApart(
    _ capture: Capture, _ others: [Int], by members: [String], _ cache: PayloadCache
  ) -> Bool? {
    let ids = members + capture.ids + others.map { posted[$0].id }
    if let known = cache.areApart(ids) { return known }
    guard let known = rows(capture.places, members), let own = rows(others, members) else {
      return nil
    }
    let areApart = known.isDisjoint(with: own)
    cache.keep(areApart: areApart, ids)
    return areApart
  }

  /// The digests of what distinguishes rows: a payload has too many for their texts.
  private func rows(_ places: [Int], _ members: [String]) -> Set<Int>? {
    var keys: Set<Int> = []
    for place in places {
      guard let payload = posted[place].payload else { return nil }
      for metric in payload["data"]?["metrics"]?.arrayValue ?? [] {
        for row in metric["data"]?.arrayValue ?? [] {
          keys.insert(([metric["name"]] + members.map { row[$0] }).hashValue)
        }
      }
    }
    return keys
  }
}
