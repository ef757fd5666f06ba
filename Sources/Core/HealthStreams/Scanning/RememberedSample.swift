package import HealthModel

/// When a sample began and ended, to the millisecond, as its entry says it (R44).
package struct SampleTimes: Hashable, Sendable {
  /// Milliseconds since 1970.
  package let start: Int
  /// Milliseconds from the start to `end_timestamp`; nil without one.
  package let length: Int?

  package init(start: Int, length: Int?) { (self.start, self.length) = (start, length) }

  /// Where the sample ends, in whole seconds.
  package var end: Timestamp { EntryMoment(milliseconds: start + (length ?? 0)).timestamp }
}

/// What a queue remembers of a sample, so that it can file its deletion (R47).
package struct RememberedSample: Hashable, Sendable {
  /// The sample's own id.
  package let uuid: UInt128
  package let times: SampleTimes

  /// Reads it from the canonical bytes of an entry of `healthKit`.
  ///
  /// Nil for a sample without an id of its own.
  package init?(_ bytes: [UInt8]) {
    guard let members = Members(bytes) ?? Members(parsing: bytes), let uuid = members.uuid,
      let start = members.start
    else { return nil }
    self.uuid = uuid
    times = SampleTimes(start: start, length: members.end.map { $0 - start })
  }

  private struct Members {
    var uuid: UInt128?
    var start: Int?
    var end: Int?

    /// Nil for an entry with escapes or with something nested.
    init?(_ bytes: [UInt8]) {
      var json = PlainJSON(bytes, in: bytes.indices)
      guard json.take(UInt8(ascii: "{")) else { return nil }
      repeat {
        guard let key = json.key(), let value = json.value() else { return nil }
        guard case .text(let text) = value else { continue }
        func moment() -> Int? {
          EntryMoment.usual(bytes.span, from: text.lowerBound, to: json.end)?.milliseconds
        }
        if json.is(key, "timestamp") { start = moment() }
        if json.is(key, "end_timestamp") { end = moment() }
        if json.is(key, "uuid") { uuid = UUIDText.value(bytes.span.extracting(text)) }
      } while json.take(UInt8(ascii: ","))
    }

    /// Nil if it is not an entry.
    init?(parsing bytes: [UInt8]) {
      guard let entry = try? JSONValue(parsing: bytes) else { return nil }
      func moment(_ name: String) -> Int? {
        entry[name]?.stringValue.flatMap { EntryMoment($0)?.milliseconds }
      }
      (start, end) = (moment("timestamp"), moment("end_timestamp"))
      uuid = entry["uuid"]?.stringValue.flatMap { UUIDText.value(Array($0.utf8).span) }
    }
  }
}

extension StreamEntry {
  /// A deletion with the times of the sample that it deletes.
  package func filed(at times: SampleTimes) -> StreamEntry {
    guard case .object(var members)? = try? JSONValue(parsing: bytes) else { return self }
    func text(_ milliseconds: Int) -> JSONValue {
      .string(EntryMoment(milliseconds: milliseconds).text)
    }
    members["timestamp"] = text(times.start)
    members["end_timestamp"] = times.length.map { text(times.start + $0) }
    return (try? StreamEntry(.object(members), of: stream)) ?? self
  }
}
