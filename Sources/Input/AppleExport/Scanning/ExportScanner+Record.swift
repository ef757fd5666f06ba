internal import HealthModel

/// Records: nearly all of an export.
extension ExportScanner {
  /// The attributes of a record that count.
  private struct Fields {
    var unit = RawText.absent
    var value = RawText.absent
    var sourceName = RawText.absent
    var sourceVersion = RawText.absent
    var device = RawText.absent
    var creationDate = RawText.absent
    var startDate = RawText.absent
    var endDate = RawText.absent
    /// Of the attributes that have no place here.
    var others = EntryMark()
  }

  @inline(__always)
  mutating func takeRecord(from start: Place, attributes: Place, to limit: Place) -> Place? {
    var cursor = TagCursor(attributes, to: limit)
    var fields = Fields()
    var kind: SampleKind?
    reading: while true {
      let name = FieldName.take(from: &cursor)
      switch name {
      case .type:
        kind = kinds.kind(cursor.value)
        if kind == nil {
          return passRecord(from: start, attributes: cursor.place, to: limit, isTyped: true)
        }
      case .unit: fields.unit = cursor.value
      case .value: fields.value = cursor.value
      case .sourceName: fields.sourceName = cursor.value
      case .sourceVersion: fields.sourceVersion = cursor.value
      case .device: fields.device = cursor.value
      case .creationDate: fields.creationDate = cursor.value
      case .startDate: fields.startDate = cursor.value
      case .endDate: fields.endDate = cursor.value
      case .other: fields.others.add(cursor.name, cursor.value)
      case .end: break reading
      case .broken: return nil
      }
    }
    guard let kind else {
      return passRecord(from: start, attributes: attributes, to: limit, isTyped: false)
    }
    guard cursor.place - start <= maximumTagBytes else { return nil }
    if elements.depth > 1 { finishChild() }
    countRecord()
    let sample = sample(kind, fields)
    if cursor.isEmptyElement {
      if let sample { report(.sample(sample)) }
    } else {
      openSample = sample
      elements.open(.record)
    }
    return cursor.place
  }

  /// Passes a record of a kind that is not counted, but for its time zone.
  private mutating func passRecord(
    from start: Place, attributes: Place, to limit: Place, isTyped: Bool
  ) -> Place? {
    guard let next = end(ofTag: start, from: attributes, to: limit) else { return nil }
    countRecord()
    countUnread(isTyped: isTyped)
    begin(.record, isEmpty: next[-2] == Mark.slash, isChild: true)
    return next
  }

  /// The sample of a record; nil, and counted, if it has none.
  @inline(__always)
  private mutating func sample(_ kind: SampleKind, _ fields: Fields) -> ExportSample? {
    guard let start = date(fields.startDate), let end = date(fields.endDate) else {
      leaveOut(kind, fields)
      return nil
    }
    guard let value = value(fields.value, kind),
      let source = source(fields.sourceName, fields.device, kind)
    else {
      if elements.isInside {
        report(.unread(UnreadRecord(kind: kind, start: start, end: end)))
      }
      return nil
    }
    let unit = kind.isCategory ? UnitReading(.none) : units.unit(fields.unit)
    if unit.unit == .unknown, held == nil {
      unknownUnits.add(AttributeText(fields.unit).string, of: kind)
    }
    return ExportSample(
      kind: kind, unit: unit.unit, source: source, start: start, end: end,
      value: unit.number(value), mark: mark(fields).number)
  }

  /// Counts a record with a time that can't be read, and reports on which dates it bears all the same.
  private mutating func leaveOut(_ kind: SampleKind, _ fields: Fields) {
    let isStart = date(fields.startDate) == nil
    skip(.date, kind, text: isStart ? fields.startDate : fields.endDate)
    guard elements.isInside else { return }
    for text in [fields.startDate, fields.endDate] {
      if let moment = date(text) {
        // What ends at a midnight belongs to the day before it.
        let first = isStart ? moment - 1 : moment
        report(.unread(UnreadRecord(kind: kind, start: first, end: first + 1)))
      } else if let day = dates.day(text) {
        // At which time of that date is not known: of two nights it may be either.
        let midnight = day - (exportOffset ?? 0)
        let span =
          kind == .sleepAnalysis
          ? midnight..<midnight + 86_400 : midnight + 43_200..<midnight + 43_201
        report(
          .unread(UnreadRecord(kind: kind, start: span.lowerBound, end: span.upperBound)))
      }
    }
  }

  /// The value of a record; nil, and counted, if it can't be read. A category in words that are not
  /// known is counted too, and has a value that is not known.
  @inline(__always)
  private mutating func value(_ text: RawText, _ kind: SampleKind) -> Double? {
    let isCategory = kind.isCategory
    if let number = isCategory ? CategoryValue.number(text, of: kind) : number(text) {
      return number
    }
    guard isCategory, text.count > 0 else {
      skip(.value, kind, text: text)
      return nil
    }
    skip(.unknownCategory, kind, text: text)
    unknownCategories.add(text)
    return SampleKind.unknownCategory
  }

  /// What a record says beside what is counted, but for its metadata.
  @inline(__always)
  private func mark(_ fields: Fields) -> EntryMark {
    var mark = fields.others
    mark.add(.creationDate, fields.creationDate)
    mark.add(.sourceVersion, fields.sourceVersion)
    mark.add(.device, SourceNumbers.withoutAddress(fields.device))
    return mark
  }

  /// The number of a source, which is reported when it is new; nil, and counted, if there is none.
  @inline(__always)
  mutating func source(_ name: RawText, _ device: RawText, _ kind: SampleKind?) -> UInt16? {
    switch sources.number(name: name, device: device) {
    case .known(let number): return number
    case .new(let number, let source):
      findings.append(.source(source))
      return number
    case .refused(let reason):
      skip(reason, kind, text: name)
      return nil
    }
  }

  /// Seconds since 1970; nil, and counted, if the text is not a date.
  @inline(__always)
  mutating func moment(_ text: RawText, _ kind: SampleKind? = nil) -> Int64? {
    if let date = date(text) { return date }
    skip(.date, kind, text: text)
    return nil
  }

  @inline(__always)
  private mutating func date(_ text: RawText) -> Int64? {
    if let date = dates.seconds(text) { return date }
    guard text.count <= ZoneNames.maximumBytes, text.holdsReference else { return nil }
    return AttributeText(text).withRawText { dates.seconds($0) }
  }

  @inline(__always)
  func number(_ text: RawText) -> Double? {
    if let number = DecimalReading.number(text) { return number }
    guard text.count <= Self.maximumNumberBytes, text.holdsReference else { return nil }
    return AttributeText(text).withRawText { DecimalReading.number($0) }
  }

  private static var maximumNumberBytes: Int { 4096 }
}
