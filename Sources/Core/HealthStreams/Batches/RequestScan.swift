import HealthModel

/// Entries in their canonical bytes, with commas between them.
struct EntryBytes {
  var bytes: [UInt8] = []
  var places: [EntryPlace] = []
  /// What days are counted by, where it is known already.
  var samples: SampleTable?

  mutating func append(_ entry: StreamEntry) {
    let start = begin()
    bytes += entry.bytes
    end(from: start, entry.start...max(entry.start, entry.end))
  }

  /// Where the next entry begins, which is then written.
  mutating func begin() -> Int {
    if !places.isEmpty { bytes.append(UInt8(ascii: ",")) }
    return bytes.count
  }

  mutating func end(from start: Int, _ span: ClosedRange<Timestamp>) {
    places.append(EntryPlace(place: start..<bytes.count, span: span))
  }
}

/// Reads the body of a request with samples where it stands. Nil for anything that it does not know,
/// valid or not.
struct RequestScan {
  private(set) var deviceID = ""
  private(set) var metadata = Metadata()
  private(set) var entries = EntryBytes()

  init?(_ body: [UInt8]) {
    guard body.count <= SealedBatch.maximumBytes else { return nil }
    var json = PlainJSON(body, in: 0..<body.count)
    var seen: Set<String> = []
    guard json.take(UInt8(ascii: "{")) else { return nil }
    repeat {
      guard let key = json.key().map(json.string), seen.insert(key).inserted else { return nil }
      switch key {
      case "stream_name":
        guard case .text(let name)? = json.value(), json.is(name, StreamName.healthKit.rawValue)
        else { return nil }
      case "device_id":
        guard case .text(let text)? = json.value(), let id = UUIDText.lowercased(json.string(text))
        else { return nil }
        deviceID = id
      case "batch_metadata":
        guard metadata.read(&json) else { return nil }
      case "data": guard readEntries(&json) else { return nil }
      default: return nil
      }
    } while json.take(UInt8(ascii: ","))
    guard json.take(UInt8(ascii: "}")), seen.count == 4 else { return nil }
    json.skipBlanks()
    guard json.offset == body.count, metadata.total == Double(entries.places.count) else {
      return nil
    }
  }

  /// What the metadata of a body says.
  struct Metadata {
    private(set) var appVersion = ""
    private(set) var session: String?
    private(set) var total: Double?

    /// Reads the object at the offset; false for anything that it does not know.
    mutating func read(_ json: inout PlainJSON) -> Bool {
      var seen: Set<String> = []
      guard json.take(UInt8(ascii: "{")) else { return false }
      repeat {
        guard let key = json.key().map(json.string), seen.insert(key).inserted else { return false }
        switch (key, json.value()) {
        case ("total_records", .number(let number)?): total = number.value
        case ("app_version", .text(let text)?) where (1...100).contains(text.count):
          appVersion = json.string(text)
        case ("session", .text(let text)?) where (1...100).contains(text.count):
          session = json.string(text)
        default: return false
        }
      } while json.take(UInt8(ascii: ","))
      return json.take(UInt8(ascii: "}")) && seen.contains("app_version")
    }
  }

  private mutating func readEntries(_ json: inout PlainJSON) -> Bool {
    guard json.take(UInt8(ascii: "[")) else { return false }
    var scan = SampleScan(json.bytes, in: json.offset..<json.end)
    entries.bytes.reserveCapacity(json.end - json.offset + 65_536)
    var samples = SampleTable.Reading()
    repeat {
      guard entries.places.count < SealedBatch.maximumRecords else { return false }
      json.skipBlanks()
      let start = entries.begin()
      scan.move(to: json.offset)
      if let sample = scan.next(into: &entries.bytes) {
        json.offset = scan.json.offset
        samples.add(sample, json.bytes, entries.bytes[start...])
        entries.end(from: start, sample.span)
        continue
      }
      entries.bytes.removeLast(entries.bytes.count - start)
      guard let (entry, end) = StreamEntry.sample(in: json.bytes, at: json.offset, before: json.end)
      else { return false }
      json.offset = end
      samples.add(entry)
      entries.bytes += entry.bytes
      entries.end(from: start, entry.start...max(entry.start, entry.end))
    } while json.take(UInt8(ascii: ","))
    entries.samples = samples.table
    entries.samples?.trim()
    return json.take(UInt8(ascii: "]"))
  }
}

extension StreamEntry {
  /// The sample that begins at a place of a body, and where it ends; nil if none does that is valid.
  static func sample(
    in body: [UInt8], at place: Int, before end: Int
  ) -> (entry: StreamEntry, end: Int)? {
    guard let next = JSONValue.end(in: body, from: place, before: end),
      // Two levels of the body are around an entry.
      let value = try? JSONValue(
        parsing: Array(body[place..<next]), maximumDepth: IngestRequest.maximumDepth - 2),
      let entry = try? StreamEntry(value, of: .healthKit)
    else { return nil }
    return (entry, next)
  }
}
