import HealthModel

/// Turns one stored revision into findings; pure (R35).
struct RevisionInspection {
  let date: CalendarDate
  let id: RevisionID
  /// The object's key.
  let key: String
  /// The store's time.
  let now: Timestamp

  /// All findings of the resolved revision.
  func findings(of latest: StoredRevision) -> [Finding] {
    // Resolving has already checked everything except its boundaries against the time zone database.
    guard latest.isCanonical, latest.revision.hasBoundariesOfDatabase else {
      return findings(of: latest.body, lastModified: latest.lastModified)
    }
    return suspiciousZeros(latest.revision) + implausibleValues(latest.revision)
      + moments(lastModified: latest.lastModified)
  }

  /// All findings of a revision that was read, with its boundaries compared with the time zone
  /// database (R4).
  func findings(of body: [UInt8], lastModified: Int?) -> [Finding] {
    let decoded = DailyRevision.decode(body, date: date, id: id)
    var findings = decoded.violations.map { violation in
      Finding(
        violation, date: date, key: key,
        remedy: remedy(violation, isReadable: decoded.revision != nil))
    }
    findings += suspiciousZeros(decoded.revision) + implausibleValues(decoded.revision)
    findings += moments(lastModified: lastModified)
    if !decoded.isCanonical, let value = try? JSONValue(parsing: body, maximumDepth: 64),
      value.canonicalBytes != body
    {
      findings.append(
        finding(
          .notCanonical, "", "the bytes are not the canonical form",
          remedy: "nothing to do: readers accept any form; correct what wrote it"))
    }
    return findings
      + decoded.notes.map { member in
        finding(
          .unknownMember, member, unknownMember(member),
          remedy: "nothing to do: unknown members are kept")
      }
  }

  /// A revision that is not readable, so that its bytes were not kept.
  func findings(ofInvalid violations: [Violation]) -> [Finding] {
    violations.map {
      Finding($0, date: date, key: key, remedy: remedy($0, isReadable: false))
    } + moments(lastModified: nil)
  }

  /// For a readable document, the difference may also come from the time zone database alone (R4).
  private func remedy(_ violation: Violation, isReadable: Bool) -> LedgerError.Remedy {
    guard isReadable else { return "publish the day again; readers pass this revision over" }
    if violation.rule == "R60" {
      return """
        publish the day again from each of its sources, and put again what was put by hand: which \
        value is wrong is not known, so none is kept; compare with an older revision or a backup
        """
    }
    return violation.rule == "R4"
      ? "update this machine's time zone database; if that is current, publish the day again"
      : "correct what wrote it and publish the day again; readers use this revision anyway"
  }

  private func suspiciousZeros(_ revision: DailyRevision?) -> [Finding] {
    guard let revision else { return [] }
    return DailyMetric.required.filter { metric in
      DailyMetric.neverZero.contains(metric) && revision.readings[metric]?.number == 0
    }.map { metric in
      finding(
        .suspiciousZero, "/metrics/\(metric.rawValue)",
        "0 is rarely measured: it may stand for no data",
        remedy: "if nothing was measured, publish the day again with null and a reason")
    }
  }

  /// Numbers that the catalogue does not call plausible (R9, R42, docs/METRICS.md).
  private func implausibleValues(_ revision: DailyRevision?) -> [Finding] {
    guard let revision else { return [] }
    let found = revision.readings.compactMapValues { $0.number }.filter { metric, number in
      // What is below zero breaks a rule already.
      number >= 0 && metric.implausibility(of: number) != nil
        && (number != 0 || !DailyMetric.neverZero.contains(metric))
    }
    guard !found.isEmpty else { return [] }
    return DailyMetric.inOrder.filter { found[$0] != nil }.told.compactMap { metric in
      guard let words = found[metric].flatMap(metric.implausibility) else { return nil }
      return Finding(
        .implausibleValue, rule: metric.isRequired ? "R9" : nil, date: date, key: key,
        pointer: "/metrics/\(metric.rawValue)", words,
        remedy: "check the unit and the device that measured it")
    }
  }

  private func unknownMember(_ pointer: String) -> String {
    guard pointer.hasPrefix("/metrics/"),
      DailyMetric(rawValue: String(pointer.dropFirst("/metrics/".count))) != nil
    else { return "the member is not of health.v0" }
    return "the metric is not read: it needs a number of 0 or more, its unit, and the status ok"
  }

  private func moments(lastModified: Int?) -> [Finding] {
    let moment = id.timestamp.secondsSince1970
    if moment > now.secondsSince1970 + VerifyOptions.futureTolerance {
      return [
        finding(
          .idFromFuture, "", "the id's moment, \(id.timestamp), is in the future",
          remedy: "set the clock of what wrote it; later revisions of the day sort after this one")
      ]
    }
    guard let lastModified, abs(moment - lastModified) > VerifyOptions.lastModifiedTolerance
    else { return [] }
    let written = Timestamp(secondsSince1970: lastModified)
    return [
      finding(
        .idFarFromLastModified, "",
        "the id's moment is \(id.timestamp), and the store's is \(written)",
        remedy: "if the objects were copied, nothing; else set the clock of what wrote it")
    ]
  }

  private func finding(
    _ code: FindingCode, _ pointer: String, _ message: String,
    remedy: LedgerError.Remedy
  ) -> Finding {
    Finding(code, date: date, key: key, pointer: pointer, message, remedy: remedy)
  }
}
