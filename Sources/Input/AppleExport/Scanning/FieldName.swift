/// What comes next in a record's tag: one of the attributes that count, another, or the end.
enum FieldName {
  case type
  case unit
  case value
  case sourceName
  case sourceVersion
  case device
  case creationDate
  case startDate
  case endDate
  case other
  case end
  case broken

  /// Takes the next attribute.
  @inline(__always)
  static func take(from cursor: inout TagCursor) -> FieldName {
    let start = cursor.place
    if cursor.limit - start >= longestUsual, start.pointee == 0x20,
      let (name, length) = usual(start + 1)
    {
      cursor.place = start + 1 + length
      return cursor.takeValue(upTo: Mark.quote) ? name : .broken
    }
    return switch cursor.next() {
    case .attribute: FieldName(cursor.name)
    case .end: .end
    case .broken: .broken
    }
  }

  init(_ name: RawText) {
    switch name.count {
    case 4: self = name.equals("type") ? .type : name.equals("unit") ? .unit : .other
    case 5: self = name.equals("value") ? .value : .other
    // `source` is iOS 8's.
    case 6: self = name.equals("device") ? .device : name.equals("source") ? .sourceName : .other
    case 7: self = name.equals("endDate") ? .endDate : .other
    case 9: self = name.equals("startDate") ? .startDate : .other
    case 10: self = name.equals("sourceName") ? .sourceName : .other
    case 12: self = name.equals("creationDate") ? .creationDate : .other
    case 13: self = name.equals("sourceVersion") ? .sourceVersion : .other
    default: self = .other
    }
  }

  /// More than a space and the longest usual beginning of an attribute.
  private static var longestUsual: Int { 24 }

  /// An attribute written as the Health app writes it, `name="`, and how long that is; nil if it is
  /// none of these, or written otherwise.
  @inline(__always)
  private static func usual(_ start: Place) -> (FieldName, Int)? {
    let word = ByteSearch.word(at: start)
    switch word {
    case 0x614E_6563_7275_6F73:  // sourceNa
      return ByteSearch.word(at: start + 4) == 0x223D_656D_614E_6563 ? (.sourceName, 12) : nil
    case 0x6556_6563_7275_6F73:  // sourceVe
      return ByteSearch.word(at: start + 7) == 0x223D_6E6F_6973_7265 ? (.sourceVersion, 15) : nil
    case 0x223D_6563_6976_6564:  // device="
      return (.device, 8)
    case 0x6E6F_6974_6165_7263:  // creation
      return ByteSearch.word(at: start + 6) == 0x223D_6574_6144_6E6F ? (.creationDate, 14) : nil
    case 0x7461_4474_7261_7473:  // startDat
      return ByteSearch.word(at: start + 3) == 0x223D_6574_6144_7472 ? (.startDate, 11) : nil
    case 0x3D65_7461_4464_6E65:  // endDate=
      return start[8] == Mark.quote ? (.endDate, 9) : nil
    default: break
    }
    if word & 0xFF_FFFF_FFFF_FFFF == 0x22_3D65_756C_6176 { return (.value, 7) }
    switch word & 0xFFFF_FFFF_FFFF {
    case 0x223D_7469_6E75: return (.unit, 6)
    case 0x223D_6570_7974: return (.type, 6)
    default: return nil
    }
  }
}
