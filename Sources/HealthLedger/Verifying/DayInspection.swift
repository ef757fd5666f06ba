import HealthModel

/// Turns what resolving a day met into findings; pure.
struct DayInspection {
  static let missingDateCode = "missing_date"

  let resolution: Resolution
  let layout: LedgerLayout

  private var date: CalendarDate { resolution.date }

  /// True where the day holds no revision, not even a broken one.
  var isMissing: Bool {
    resolution.latest == nil && resolution.rejected.allSatisfy { $0.reason == .missing }
  }

  var findings: [Finding] {
    var findings: [Finding] = []
    if isMissing { findings.append(missingDate) }
    findings += resolution.rejected.flatMap(rejected)
    findings += pointerFindings
    if let latest = resolution.latest {
      findings += boundaries(latest)
      findings += latest.notes.map { note in
        finding(
          .note, "unknown_member", "R14", key(latest.id), note, "the member is not of health.v0",
          "nothing to do: unknown members are kept")
      }
    }
    return findings
  }

  func foreign(_ key: String) -> Finding {
    finding(
      .note, "foreign_object", "R5", key, "", "the object does not belong to the layout",
      "move it out of the ledger if it is not wanted there")
  }

  private var missingDate: Finding {
    finding(
      .error, Self.missingDateCode, "R35", layout.dayPrefix(date), "",
      "no revision exists for \(date)",
      "publish the day with `s3health put --date \(date)`, or pass --allow-missing")
  }

  private func rejected(_ revision: RejectedRevision) -> [Finding] {
    // A missing revision shows as the pointer's fault: `pointer_dangling`.
    guard case .invalid(let violations) = revision.reason else { return [] }
    return violations.map { violation in
      finding(
        .error, violation.code, violation.rule, key(revision.id), violation.pointer,
        violation.message, "publish the day again; readers pass this revision over")
    }
  }

  /// Readers take boundaries as written; here they are held against the time zone database (R4).
  private func boundaries(_ latest: StoredRevision) -> [Finding] {
    DailyRevision.decode(latest.body, date: date, id: latest.id).violations.map { violation in
      finding(
        .error, violation.code, violation.rule, key(latest.id), violation.pointer,
        violation.message,
        "update this machine's time zone database; if that is current, publish the day again")
    }
  }

  private var pointerFindings: [Finding] {
    switch resolution.pointer {
    case .absent:
      guard resolution.latest != nil else { return [] }
      return [
        pointerFinding(
          .note, "pointer_missing", "R15", "", "the day has revisions but no latest.json",
          "nothing to do: readers list; the next publish writes it where the store allows")
      ]
    case .corrupt(_, let violations):
      return violations.map { violation in
        pointerFinding(
          .error, "pointer_corrupt", violation.rule, violation.pointer, violation.message,
          "publish the day again: the pointer is then replaced")
      }
    case .valid(let pointer, _):
      return disagreement(pointer.revisionID)
    }
  }

  private func disagreement(_ named: RevisionID) -> [Finding] {
    if named == resolution.latest?.id { return [] }
    if let latest = resolution.latest, latest.id > named {
      return [
        pointerFinding(
          .error, "pointer_stale", "R30", "/revision_id",
          "the pointer names \(named), the newest valid revision is \(latest.id)",
          "publish the day again: the pointer then moves forward")
      ]
    }
    let isAbsent = resolution.rejected.contains { $0.id == named && $0.reason == .missing }
    return [
      pointerFinding(
        .error, isAbsent ? "pointer_dangling" : "pointer_to_invalid", "R30", "/revision_id",
        isAbsent
          ? "the pointer names \(named), which does not exist"
          : "the pointer names \(named), which is not valid",
        "publish the day again: a newer revision then takes the pointer")
    ]
  }

  private func pointerFinding(
    _ severity: Finding.Severity, _ code: String, _ rule: String, _ pointer: String,
    _ message: String, _ remedy: String
  ) -> Finding {
    let key = layout.pointerKey(date).rawValue
    return finding(severity, code, rule, key, pointer, message, remedy)
  }

  private func finding(
    _ severity: Finding.Severity, _ code: String, _ rule: String, _ key: String,
    _ pointer: String, _ message: String, _ remedy: String
  ) -> Finding {
    Finding(
      date: date, severity: severity, code: code, rule: rule, key: key, pointer: pointer,
      message: message, remedy: remedy)
  }

  private func key(_ id: RevisionID) -> String { layout.revisionKey(date, id).rawValue }
}
