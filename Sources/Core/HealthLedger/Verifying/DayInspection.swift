import HealthModel

/// Turns what was read of a day into findings; pure (R35).
struct DayInspection {
  let resolution: Resolution
  let layout: LedgerLayout
  /// The store's time.
  let now: Timestamp

  private var date: CalendarDate { resolution.date }

  /// The findings of the day itself, of the revisions that were resolved, and of the pointer.
  ///
  /// `skipsRejected` leaves out the rejected revisions, because a deep check reads each of them.
  func findings(skipsRejected: Bool) -> [Finding] {
    var findings: [Finding] = []
    if resolution.isMissing {
      findings.append(missingDate)
    } else if resolution.latest == nil {
      findings.append(noValidRevision)
    }
    if !resolution.isMissing, !date.hasBegun(at: now) { findings.append(dateInFuture) }
    findings += resolution.rejected.flatMap { rejected -> [Finding] in
      switch rejected.reason {
      // The pointer names it, and the finding of the pointer reports it.
      case .missing: []
      case .invalid(let violations):
        skipsRejected ? [] : inspection(rejected.id).findings(ofInvalid: violations)
      }
    }
    findings +=
      PointerInspection(
        resolution: resolution, key: layout.pointerKey(date).rawValue
      ).findings
    if let latest = resolution.latest {
      findings += inspection(latest.id).findings(of: latest)
      if let partial = partial(latest) { findings.append(partial) }
    }
    return findings
  }

  /// The inspection of one of the day's revisions.
  func inspection(_ id: RevisionID) -> RevisionInspection {
    RevisionInspection(date: date, id: id, key: layout.revisionKey(date, id).rawValue, now: now)
  }

  /// An object in the day's folder that is not part of the layout.
  func foreign(_ key: String) -> Finding {
    let prefix = layout.dayPrefix(date)
    guard key.hasPrefix(prefix), let copy = ConflictCopy(path: String(key.dropFirst(prefix.count)))
    else { return Self.foreign(key, date: date) }
    return Finding(
      .conflictCopy, date: date, key: key,
      "a synchronising service made this copy of \(copy.original); readers ignore it",
      remedy: """
        compare it with \(copy.original): if that is missing, rename the copy to it; otherwise \
        move the copy out of the ledger
        """)
  }

  /// An object beside the days' folders that is not part of the layout.
  func stray(_ key: String) -> Finding {
    guard let copy = layout.folderCopy(key) else { return Self.foreign(key, date: nil) }
    let (folder, original) = (layout.dataPrefix + copy.folder, layout.dataPrefix + copy.original)
    return Finding(
      .conflictCopy, date: copy.date == date ? date : nil, key: key,
      "a synchronising service made \(folder), a copy of the folder \(original); readers ignore it",
      remedy: """
        move the revisions that are only in \(folder) to the same places in \(original), then \
        remove the copy
        """)
  }

  /// An object that is not part of the layout.
  static func foreign(_ key: String, date: CalendarDate?) -> Finding {
    Finding(
      .foreignObject, date: date, key: key, "the object does not belong to the layout",
      remedy: "move it out of the ledger if it is not wanted there")
  }

  private func partial(_ latest: StoredRevision) -> Finding? {
    guard latest.revision.day.isOver(at: now), let words = PartialNumbers(latest.revision).words
    else { return nil }
    return Finding(
      .partial, date: date, key: layout.revisionKey(date, latest.id).rawValue,
      "\(words), of a part of the day: such a number counts in no mean",
      remedy: "publish the day again, from all that its source has of it")
  }

  private var missingDate: Finding {
    Finding(
      .missingDate, date: date, key: layout.dayPrefix(date), "no revision exists for \(date)",
      remedy: .publishOrAllowMissing(date))
  }

  private var noValidRevision: Finding {
    Finding(
      .noValidRevision, date: date, key: layout.revisionsPrefix(date),
      "\(date) has revisions, but none of them is readable",
      remedy: .publish(date))
  }

  private var dateInFuture: Finding {
    Finding(
      .dateInFuture, date: date,
      key: resolution.latest.map { layout.revisionKey(date, $0.id).rawValue }
        ?? layout.revisionsPrefix(date),
      "\(date) has a revision, but is in the future in every time zone",
      remedy: "find out what published it: a mistyped date or a wrong clock")
  }
}
