import HealthModel

/// Compares a day's pointer with its revisions; pure (R15, R30, R35).
struct PointerInspection {
  let resolution: Resolution
  /// The pointer's key.
  let key: String

  private var date: CalendarDate { resolution.date }

  /// Codes of violations in a document that is readable but contradicts itself.
  private static let contradictions: Set<String> = Set(
    [
      ViolationCode.dateDiffersFromKey, .generatedAtDiffersFromID, .pathDiffersFromID,
    ].map(\.rawValue))

  var findings: [Finding] {
    switch resolution.pointer {
    case .absent:
      guard resolution.latest != nil else { return [] }
      return [
        finding(
          .pointerMissing, "", "the day has revisions but no latest.json",
          remedy: .awaitPointer)
      ]
    case .corrupt(let etag, let violations):
      let code: FindingCode =
        violations.allSatisfy { Self.contradictions.contains($0.code) }
        ? .pointerInconsistent : .pointerCorrupt
      return violations.map { violation in
        Finding(
          code, rule: violation.rule, date: date, key: key, pointer: violation.pointer,
          violation.message,
          remedy: etag == nil && violation.code == Violation.unreadable ? readable : forward)
      }
    case .valid(let pointer, _):
      return disagreement(pointer.revisionID)
    }
  }

  /// Findings in the pointer's bytes that its value does not show (R14, R16).
  func findings(of body: [UInt8]) -> [Finding] {
    let decoded = LatestPointer.decode(body, date: date)
    guard let pointer = decoded.pointer else { return [] }
    var findings = decoded.notes.map { member in
      Finding(
        .unknownMember, date: date, key: key, pointer: member, "the member is not of health.v0",
        remedy: "nothing to do: the next publish rewrites the pointer")
    }
    if pointer.encoded != body {
      findings.append(
        Finding(
          .notCanonical, rule: "R16", date: date, key: key, "the bytes are not the canonical form",
          remedy: "nothing to do: the next publish rewrites the pointer"))
    }
    return findings
  }

  private func disagreement(_ named: RevisionID) -> [Finding] {
    if named == resolution.latest?.id { return [] }
    if let latest = resolution.latest, latest.id > named {
      return [
        finding(
          .pointerStale, "/revision_id",
          "the pointer names \(named), the newest readable revision is \(latest.id)",
          remedy: forward)
      ]
    }
    let isAbsent = resolution.rejected.contains { $0.id == named && $0.reason == .missing }
    return [
      finding(
        isAbsent ? .pointerDangling : .pointerToInvalid, "/revision_id",
        isAbsent
          ? "the pointer names \(named), which does not exist"
          : "the pointer names \(named), which is not readable",
        remedy: "publish the day again: a newer revision then takes the pointer")
    ]
  }

  private var readable: LedgerError.Remedy {
    "download it, or replace what is there by a file; until then readers list the day"
  }

  private var forward: LedgerError.Remedy {
    resolution.latest == nil
      ? "publish the day again: the pointer is then replaced"
      : .movePointer
  }

  private func finding(
    _ code: FindingCode, _ pointer: String, _ message: String,
    remedy: LedgerError.Remedy
  ) -> Finding {
    Finding(code, date: date, key: key, pointer: pointer, message, remedy: remedy)
  }
}
