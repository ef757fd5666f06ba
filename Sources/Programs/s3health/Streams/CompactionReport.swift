import CommandLineKit
import HealthModel
import HealthStreams

/// What `streams compact` did, or would do (R66).
struct CompactionReport {
  let opened: OpenedStreams
  let isDryRun: Bool
  /// How old a date and its objects must be.
  let days: Int

  private struct Row {
    let stream: StreamName
    let month: CompactedMonth
  }

  private var rows: [Row] = []
  /// What was left alone, each with the reason and whether something is wrong with it.
  private var leftAlone: [(what: String, why: String, isFault: Bool)] = []

  private var waits: [CompactionWait] = []

  /// The most lines of text of each kind. The newest dates are shown.
  private static let maximumLines = 60

  init(opened: OpenedStreams, isDryRun: Bool, days: Int) {
    (self.opened, self.isDryRun, self.days) = (opened, isDryRun, days)
  }

  mutating func add(_ month: CompactedMonth, of stream: StreamName) {
    rows.append(Row(stream: stream, month: month))
    let place = "\(stream.shortName) \(month.deviceID)"
    for (name, why) in month.outcome.faults.sorted(by: { $0.key < $1.key }) {
      leftAlone.append(("\(place) \(name.date) \(name.id)", why, true))
    }
    let whole = "\(place) \(month.month)"
    switch month.outcome.obstacle {
    case .damagedPack(let id, let why): leftAlone.append(("\(whole) pack \(id)", why, true))
    case .unsettled: leftAlone.append((whole, "kept changing; run it again", true))
    case .unanswered:
      leftAlone.append((whole, "the store gave no clear answer to its pack; run it again", true))
    case nil: break
    }
  }

  mutating func add(_ left: LeftAlone) {
    switch left {
    case .foreign(let key): leftAlone.append((key, "is not a batch, and may hide one", true))
    case .marked(let key, let date):
      leftAlone.append(("\(date)", "its days are not derived yet, says \(key)", false))
    case .unreadableMarker(let key):
      leftAlone.append((key, "is not a marker that can be read: any date may be due", true))
    }
  }

  mutating func add(_ wait: CompactionWait) { waits.append(wait) }

  /// Whether something is not as it should be.
  var fails: Bool { leftAlone.contains(where: \.isFault) }

  private func sum(_ part: (CompactedMonth) -> Int) -> Int {
    rows.reduce(0) { $0 + part($1.month) }
  }

  func lines(_ terminal: Terminal) -> [String] {
    var lines = [terminal.styled(opened.opened.name.printable, .strong) + opened.spanWords]
    if !rows.isEmpty {
      let head = [
        "stream   ", "device" + String(repeating: " ", count: 30), "month  ",
        "packed".leftPadded(to: 8), "objects".leftPadded(to: 14), "bytes".leftPadded(to: 24),
      ].joined(separator: "  ")
      lines += ["", terminal.styled(head, .strong)]
      let omitted = rows.count - Self.maximumLines
      if omitted > 0 {
        lines.append("(\(omitted.grouped) lines are omitted; --output json has all)")
      }
      lines += rows.suffix(Self.maximumLines).map(line)
    }
    lines.append("")
    for left in leftAlone.prefix(Self.maximumLines) {
      lines.append("left alone: \(left.what.printable): \(left.why.printable)")
    }
    if leftAlone.count > Self.maximumLines {
      lines.append("and \((leftAlone.count - Self.maximumLines).grouped) more were left alone")
    }
    // The newest dates always wait. That is worth a line only if nothing else was done.
    lines += waits.filter { $0.isLate || isIdle }.prefix(Self.maximumLines).map(waitLine)
    return lines + [terminal.styled(verdict, fails ? .bad : .good)]
  }

  private func waitLine(_ wait: CompactionWait) -> String {
    let (first, last) = (wait.dates.lowerBound, wait.dates.upperBound)
    let dates = wait.count == 1 ? "\(first)" : "\(wait.count.grouped) dates, \(first) to \(last),"
    let verb = wait.count == 1 ? "was" : "were"
    let (from, to) = (wait.until.lowerBound.utcDate, wait.until.upperBound.utcDate)
    let until = from == to ? "\(from)" : "\(from) to \(to)"
    let why =
      wait.isLate
      ? "\(verb) uploaded less than \(days) days ago"
      : "\(wait.count == 1 ? "is" : "are") less than \(days) days old"
    return "waits until \(until): \(wait.stream.shortName) \(wait.deviceID) \(dates) \(why)"
  }

  private var isIdle: Bool {
    sum {
      $0.outcome.packed + $0.outcome.removedBatches + $0.outcome.removedPacks + $0.outcome.waiting
    } == 0
  }

  private var verdict: String {
    let packed = sum(\.outcome.packed)
    let removed = sum { $0.outcome.removedBatches + $0.outcome.removedPacks }
    let waiting = sum(\.outcome.waiting)
    guard !isIdle else { return waits.isEmpty ? "nothing to pack" : "nothing to pack yet" }
    let (pack, remove) = isDryRun ? ("would pack", "remove") : ("packed", "removed")
    var words =
      "\(pack) \(packed.grouped) \(packed == 1 ? "batch" : "batches") into "
      + "\(sum(\.outcome.packs).grouped), \(remove) \(removed.grouped)"
    if waiting > 0 {
      words += "; \(waiting.grouped) stay until a run that is at least 20 minutes later"
    }
    return words
  }

  private func line(_ row: Row) -> String {
    let month = row.month
    return [
      row.stream.shortName.padded(to: 9), month.deviceID, "\(month.month)",
      month.outcome.packed.grouped.leftPadded(to: 8),
      "\(month.objects.before.grouped) > \(month.objects.after.grouped)".leftPadded(to: 14),
      "\(month.bytes.before.grouped) > \(month.bytes.after.grouped)".leftPadded(to: 24),
    ].joined(separator: "  ")
  }

  var document: JSONValue {
    var members = opened.document
    members["dry_run"] = .bool(isDryRun)
    members["ok"] = .bool(!fails)
    members["rows"] = .array(
      rows.map { row in
        let (month, outcome) = (row.month, row.month.outcome)
        return .object([
          "stream_name": .string(row.stream.rawValue), "device_id": .string(month.deviceID),
          "month": .string("\(month.month)"), "packs": .count(outcome.packs),
          "packed_batches": .count(outcome.packed),
          "removed_objects":
            .count(outcome.removedBatches + outcome.removedPacks),
          "waiting_objects": .count(outcome.waiting),
          "objects_before": .count(month.objects.before),
          "objects_after": .count(month.objects.after), "bytes_before": .count(month.bytes.before),
          "bytes_after": .count(month.bytes.after),
        ])
      })
    members["packs"] = .count(sum(\.outcome.packs))
    members["packed_batches"] = .count(sum(\.outcome.packed))
    members["removed_objects"] = .count(
      sum { $0.outcome.removedBatches + $0.outcome.removedPacks })
    members["waiting_objects"] = .count(sum(\.outcome.waiting))
    members["waits"] = .array(
      waits.map { wait in
        .object([
          "stream_name": .string(wait.stream.rawValue), "device_id": .string(wait.deviceID),
          "from": .string("\(wait.dates.lowerBound)"), "to": .string("\(wait.dates.upperBound)"),
          "dates": .count(wait.count), "uploaded_lately": .bool(wait.isLate),
          "first_at": .string("\(wait.until.lowerBound)"),
          "last_at": .string("\(wait.until.upperBound)"),
        ])
      })
    members["left_alone"] = .array(
      leftAlone.map { left in
        .object([
          "what": .string(left.what), "why": .string(left.why), "is_fault": .bool(left.isFault),
        ])
      })
    return .object(members)
  }
}
