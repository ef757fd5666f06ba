import CommandLineKit
import HealthLedger
import HealthModel

extension VerifyReport {
  /// The stable document of docs/OUTPUT.md, with a newline. It is written finding by finding, so
  /// that many findings take no more memory than their text.
  var document: [UInt8] {
    let counts: [(String, Int)] = [
      ("days", days.count), ("ok_days", count(.ok)), ("faulty_days", count(.faulty)),
      ("invalid_days", count(.invalid)), ("revisions_read", revisionsRead),
      ("errors", severities[.error] ?? 0), ("warnings", severities[.warning] ?? 0),
      ("notes", severities[.note] ?? 0), ("findings_omitted", omittedFindings),
    ]
    var members = Dictionary(
      uniqueKeysWithValues: counts.map { ($0.0, JSONValue.number(Double($0.1)).canonicalBytes) })
    let others: [(String, JSONValue)] = [
      ("store", .string(storeName)), ("from", .string(dates.lowerBound.description)),
      ("to", .string(dates.upperBound.description)), ("deep", .bool(options.isDeep)),
      ("strict", .bool(isStrict)), ("missing_allowed", .bool(allowsMissing)),
      ("found_something", .bool(foundSomething)),
      ("max_age_seconds", options.maximumAge.map { .number(Double($0)) } ?? .null),
      ("days_not_over", .array(days.filter(\.isSoFar).map { .string("\($0.date)") })),
      ("missing_dates", .array(missingDates.map { .string($0.description) })),
    ]
    for (name, value) in others { members[name] = value.canonicalBytes }
    members["resolved"] = Self.array(
      days.lazy.compactMap { day in
        day.revisionID.map { id in
          .object([
            "date": .string(day.date.description), "revision_id": .string(id.rawValue),
          ])
        }
      })
    members["findings"] = Self.array(findings.lazy.map { $0.document })
    members["findings_omitted_by_severity"] =
      JSONValue.object(
        Dictionary(
          uniqueKeysWithValues: Finding.Severity.allCases.map {
            ($0.rawValue, JSONValue.number(Double(omitted[$0] ?? 0)))
          })
      ).canonicalBytes
    members["repairs"] = Self.array(repairs.lazy.map { $0.repair.document(of: $0.date) })
    return Self.object(members) + [UInt8(ascii: "\n")]
  }

  /// A canonical array, element by element.
  static func array(_ elements: some Sequence<JSONValue>) -> [UInt8] {
    var bytes = [UInt8(ascii: "[")]
    for element in elements {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes += element.canonicalBytes
    }
    return bytes + [UInt8(ascii: "]")]
  }

  /// A canonical object whose members are already JSON. Their names are ASCII.
  static func object(_ members: [String: [UInt8]]) -> [UInt8] {
    var bytes = [UInt8(ascii: "{")]
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes += JSONValue.string(name).canonicalBytes + [UInt8(ascii: ":")] + value
    }
    return bytes + [UInt8(ascii: "}")]
  }
}

extension Finding {
  var document: JSONValue {
    .object([
      "date": date.map { .string($0.description) } ?? .null,
      "severity": .string(severity.rawValue), "code": .string(code), "rule": .string(rule),
      "key": .string(key), "pointer": .string(pointer), "message": .string(message),
      "remedy": .string(remedy.words),
    ])
  }
}

extension PointerRepair {
  func document(of date: CalendarDate) -> JSONValue {
    var members: [String: JSONValue] = [
      "date": .string(date.description), "outcome": .string(word),
    ]
    switch self {
    case .moved(let from, let to), .wouldMove(let from, let to):
      members["from"] = from.map { .string($0.rawValue) } ?? .null
      members["to"] = .string(to.rawValue)
    case .alreadySound(let id): members["to"] = .string(id.rawValue)
    case .impossible(let obstacle): members["obstacle"] = .string(obstacle.rawValue)
    }
    return .object(members)
  }

  /// What happened to the pointer, for people.
  var words: String {
    switch self {
    case .moved(let from, let to): "moved latest.json from \(from?.rawValue ?? "nothing") to \(to)"
    case .wouldMove(let from, let to):
      "would move latest.json from \(from?.rawValue ?? "nothing") to \(to)"
    case .alreadySound(let id): "another writer has moved latest.json to \(id)"
    case .impossible(.noValidRevision): "can't move latest.json: no revision is readable"
    case .impossible(.namesGreaterID):
      "can't move latest.json backwards; publish the day again to replace it"
    case .impossible(.noCompareAndSwap):
      "can't move latest.json safely: it stays as it is, and readers list the revisions"
    case .impossible(.noETag):
      "can't replace latest.json: it is too large to read, and the store lists no etag"
    case .impossible(.lacksWords):
      "latest.json stays: the newest revision lacks something that an older one has; publishing the day "
        + "joins both"
    }
  }
}
