import HealthCollector
import HealthModel
import HealthSources

/// The payloads of Health Auto Export that can touch a day, and what they say of it (R55). Pure:
/// the result depends on the set of what was added, never on the order.
///
/// What was read stays read, and is not held any more: payloads that follow the others cost what they
/// have themselves.
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

  /// The keys of the batches that were added.
  private(set) var keys: Set<String> = []
  private var posted: [PostedPayload] = []
  /// The runs whose payloads do not count.
  private var leftOut: Set<RunID> = []
  private var reading: Reading?

  /// No payload.
  init() {}

  /// The latest moment at which the newest of them can have been made.
  var capturedAt: Timestamp? { counted.map(\.capturedAt).max() }

  /// Those that count.
  var counted: [PostedPayload] { posted.filter(counts) }

  private func counts(_ one: PostedPayload) -> Bool {
    one.run.map { !leftOut.contains($0) } ?? true
  }

  /// From now on, those of these runs alone do not count.
  mutating func leaveOut(_ runs: Set<RunID>) {
    guard runs != leftOut else { return }
    leftOut = runs
    reading?.found = nil
  }

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
    let captures = captures
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
      reading.reader.add(rows, capturedAt: capture.capturedAt)
      reading.captures.append(capture.ids)
    }
    let found = try Self.found(reading.reader, captures, counted)
    reading.found = found
    self.reading = reading
    // A part waits for the others of its payload.
    let read = Set(captures.flatMap(\.places))
    for place in posted.indices where read.contains(place) || posted[place].part == nil {
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
    // One part at a time: all of them as values would take several times their bytes.
    let rows = try CaptureRows(
      parts: capture.places.lazy.compactMap { posted[$0].payload }, rowLength: capture.rowLength,
      in: zones, metrics: metrics)
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
    (found.numbers.raw, found.numbers.rawCapturedAt) = (figures.raw, figures.capturedAt)
    found.numbers.moments = figures.moments
    found.numbers.unsupported = figures.unsupported
    (found.notes, found.misfit) = (figures.notes, reader.misfit)
    found.numbers.dayRows = figures.dayRows.mapValues {
      CapturedNumber($0.number, capturedAt: captures[$0.capture].capturedAt)
    }
    let coarse = posted.count { $0.rowLength == .moreThanDay && ($0.part?.number ?? 1) == 1 }
    if coarse > 0 {
      found.notes.append(
        "Health Auto Export: \(coarse == 1 ? "1 payload was" : "\(coarse) payloads were") by the "
          + "week or longer, and not counted; set the automation to days or less")
    }
    return found
  }

  /// A payload, whole or in parts.
  private struct Capture {
    /// Of its parts among those that were posted.
    let places: [Int]
    let ids: [String]
    /// Of the last of them.
    let order: PreciseMoment
    /// The latest moment at which it can have been made.
    let capturedAt: Timestamp
    /// How long the rows are, if the app says so.
    let rowLength: RowLength?
  }

  /// In the order in which they were captured: a payload that waited in a queue replaces nothing that was
  /// captured after it.
  private var captures: [Capture] {
    let captures = PostedPayload.whole(posted)
      .filter { places in
        posted[places[0]].rowLength != .moreThanDay && places.allSatisfy { counts(posted[$0]) }
      }
      .map { places in
        let one = posted[places[0]]
        let order = places.map { posted[$0].order }.max() ?? one.order
        return Capture(
          places: places, ids: places.map { posted[$0].id }, order: order,
          capturedAt: places.map { posted[$0].capturedAt }.max() ?? order.timestamp,
          rowLength: one.rowLength)
      }
    return captures.enumerated().sorted { a, b in
      let (first, second) = (a.element, b.element)
      return (first.capturedAt, first.order, a.offset) < (second.capturedAt, second.order, b.offset)
    }.map(\.element)
  }
}
