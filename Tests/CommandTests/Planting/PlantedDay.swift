import Foundation

/// One day with its revisions, its pointer and strangers, and what must be found on it.
struct PlantedDay {
  struct Revision {
    let id: String
    let faults: [DocumentFault]
    var isInFuture = false
    var isFarFromLastModified = false

    /// The text itself is not a document: nothing inside it can be checked.
    var isText: Bool { faults.contains { $0.part == .text } }
    var isReadable: Bool { faults.allSatisfy(\.errors.isEmpty) }
  }

  enum Pointer: CaseIterable {
    case sound, absent, stale, dangling, toInvalid
    case notJSON, withoutMember, tooLarge, ofAnotherDate, ofAnotherMoment, ofAnotherPath
    case notCanonical, withUnknownMember
  }

  let date: PlantedDate
  /// Oldest first.
  var revisions: [Revision] = []
  var pointer: Pointer = .absent
  /// Keys within the day's folder; the one with a dot-dot lies beside it.
  var strangers: [String] = []

  var latest: Revision? { revisions.last(where: \.isReadable) }
  /// A revision that the pointer names counts, even if it is gone.
  var isMissing: Bool { revisions.isEmpty && pointer != .stale && pointer != .dangling }

  private var folder: String { "health/v0/data/\(date.path)/" }
  private func key(_ revision: Revision) -> String { "\(folder)revisions/\(revision.id).json" }
  private var pointerKey: String { folder + "latest.json" }

  /// The id that the pointer names, where it names one.
  private var named: String? {
    switch pointer {
    case .absent: nil
    case .sound, .notCanonical, .withUnknownMember: latest?.id
    case .stale: "20010101T000000Z-ABCDEF"
    case .dangling: "20990101T000000Z-ABCDEF"
    case .toInvalid: revisions.last { !$0.isReadable }?.id
    default: latest?.id ?? "20010101T000000Z-ABCDEF"
    }
  }

  /// The objects of the day.
  var objects: [String: [UInt8]] {
    var objects: [String: [UInt8]] = [:]
    for revision in revisions {
      var document = PlantedDocument(date: date, id: revision.id)
      for fault in revision.faults { fault.change(&document, date) }
      var bytes = Array(document.text.utf8)
      for fault in revision.faults { bytes = fault.spoil(String(decoding: bytes, as: UTF8.self)) }
      objects[key(revision)] = bytes
    }
    if let text = pointerText { objects[pointerKey] = Array(text.utf8) }
    for name in strangers { objects[key(ofStranger: name)] = [0x31] }
    return objects
  }

  private func key(ofStranger name: String) -> String {
    name.hasPrefix("..") ? String(folder.dropLast()) + name.dropFirst(2) : folder + name
  }

  private var pointerText: String? {
    guard let named else { return nil }
    let moment = PlantedDocument.moment(of: named)
    func text(
      date: String? = nil, moment other: String? = nil, path: String? = nil, more: String = ""
    ) -> String {
      "{\"date\":\"\(date ?? self.date.text)\",\"latest_generated_at\":\"\(other ?? moment)\","
        + "\"revision_id\":\"\(named)\","
        + "\"revision_relpath\":\"\(path ?? "revisions/\(named).json")\"\(more)}"
    }
    switch pointer {
    case .notJSON: return "{"
    case .withoutMember: return text().replacing("\"revision_id\":\"\(named)\",", with: "")
    case .tooLarge: return text() + String(repeating: " ", count: 4096)
    case .ofAnotherDate: return text(date: date.next.text)
    case .ofAnotherMoment: return text(moment: "2001-01-01T00:00:01Z")
    case .ofAnotherPath: return text(path: "revisions/20010101T000000Z-ABCDE0.json")
    case .notCanonical: return " " + text()
    case .withUnknownMember: return text(more: ",\"zz\":1")
    default: return text()
    }
  }

  /// What must be found, as `severity code key pointer date`.
  func findings(deep: Bool) -> [String] {
    var findings: [String] = []
    func add(_ severity: String, _ traces: [DocumentFault.Trace], _ key: String) {
      findings += traces.map { "\(severity) \($0.code) \(key) \($0.pointer) \(date.text)" }
    }
    func add(_ severity: String, _ code: String, _ key: String, _ pointer: String = "") {
      add(severity, [.init(code, pointer)], key)
    }
    if isMissing {
      add("error", "missing_date", folder)
    } else if latest == nil {
      add("error", "no_valid_revision", folder + "revisions/")
    }
    for revision in revisions {
      let isAnswer = revision.id == latest?.id
      let isPassedOver = latest.map { revision.id > $0.id } ?? true
      let isWhole = isAnswer || deep
      guard isWhole || isPassedOver else { continue }
      let key = key(revision)
      for fault in revision.faults {
        add("error", fault.errors + fault.breaches, key)
        guard isWhole, !revision.isText || fault.part == .text else { continue }
        if !revision.isText { add("error", fault.zone, key) }
        if revision.isReadable { add("warning", fault.warnings, key) }
        add("note", fault.notes, key)
      }
      if revision.isInFuture { add("warning", "id_from_future", key) }
      if revision.isFarFromLastModified, isWhole, !revision.isTooLarge {
        add("warning", "id_far_from_last_modified", key)
      }
    }
    findings += pointerFindings
    for name in strangers {
      let isBeside = name.hasPrefix("..")
      findings.append("note foreign_object \(key(ofStranger: name))  \(isBeside ? "-" : date.text)")
    }
    return findings
  }

  private var pointerFindings: [String] {
    func finding(_ severity: String, _ code: String, _ place: String = "") -> [String] {
      ["\(severity) \(code) \(pointerKey) \(place) \(date.text)"]
    }
    guard let named else { return latest == nil ? [] : finding("note", "pointer_missing") }
    switch pointer {
    case .notJSON, .tooLarge: return finding("error", "pointer_corrupt")
    case .withoutMember: return finding("error", "pointer_corrupt", "/revision_id")
    case .ofAnotherDate: return finding("error", "pointer_inconsistent", "/date")
    case .ofAnotherMoment: return finding("error", "pointer_inconsistent", "/latest_generated_at")
    case .ofAnotherPath: return finding("error", "pointer_inconsistent", "/revision_relpath")
    case .notCanonical: return finding("note", "not_canonical")
    case .withUnknownMember:
      return finding("note", "not_canonical") + finding("note", "unknown_member", "/zz")
    case .sound, .absent: return []
    case .stale, .dangling, .toInvalid:
      if let latest, latest.id > named { return finding("error", "pointer_stale", "/revision_id") }
      let exists = revisions.contains { $0.id == named }
      return finding("error", exists ? "pointer_to_invalid" : "pointer_dangling", "/revision_id")
    }
  }
}

extension PlantedDay.Revision {
  /// Over the bound: nothing of it is kept, not even its LastModified.
  var isTooLarge: Bool { faults.contains { $0.errors.contains { $0.code == "too_large" } } }
}
