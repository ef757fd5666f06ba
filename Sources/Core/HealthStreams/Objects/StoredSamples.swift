package import HealthModel

/// The samples of one stored batch with what days are counted by, in little memory: servers keep many.
package struct StoredSamples: Sendable {
  package typealias Sample = SampleTable.Sample

  package let deviceID: String
  /// Where the batch came from.
  package let feed: String
  package var receivedAt: Timestamp { order.timestamp }
  /// The time of receipt that shows which of two batches came later.
  package let order: PreciseMoment
  /// The run in which it was stored; nil where that is not known.
  package let run: RunID?
  private let table: SampleTable
  package var samples: [Sample] { table.samples }

  /// About how many bytes of memory it takes.
  package var cost: Int {
    512 + table.cost
  }

  /// What the sample shares with others.
  package func label(_ sample: Sample) -> SampleTable.Label { table.labels[sample.label] }

  /// A text that a label names by its place.
  package func word(_ place: UInt16) -> String {
    place == SampleTable.batchFeed ? feed : table.words[Int(place)]
  }

  /// The entry's canonical bytes.
  package func entry(_ place: Int) -> [UInt8] {
    if let kept = table.bytes[place] { return kept }
    let sample = samples[place]
    let label = label(sample)
    var members: [String: JSONValue] = [
      "sample_type": .string(word(label.type)),
      "timestamp": .string(EntryMoment(milliseconds: sample.startMilliseconds).text),
    ]
    if sample.marks.contains(.hasEnd) {
      members["end_timestamp"] = .string(EntryMoment(milliseconds: sample.endMilliseconds).text)
    }
    if sample.marks.contains(.hasSource) { members["source"] = .string(word(label.source)) }
    if sample.marks.contains(.hasHardware) { members["hardware"] = .string(word(label.hardware)) }
    if sample.isUserEntered { members["user_entered"] = .bool(true) }
    if label.feed != SampleTable.batchFeed { members["feed"] = .string(word(label.feed)) }
    if sample.hasNativeID { members["uuid"] = .string(UUIDText.text(sample.id)) }
    if sample.isDeletion {
      members["deleted"] = .bool(true)
    } else {
      members["unit"] = .string(word(label.unit))
      members["value"] = .number(sample.value)
    }
    return JSONValue.object(members).canonicalBytes
  }

  // MARK: - Making

  /// Those of a table, whose entries are those of the batch.
  init(
    _ table: SampleTable, deviceID: String, feed: String, order: PreciseMoment, run: RunID?
  ) {
    (self.table, self.deviceID, self.feed) = (table, deviceID, feed)
    (self.order, self.run) = (order, run)
  }

  /// Those of a batch that was read whole. Entries of other streams are not samples.
  package init(_ batch: StoredBatch) {
    var reading = SampleTable.Reading()
    for entry in batch.entries where entry.stream == .healthKit { reading.add(entry) }
    self.init(
      reading.table, deviceID: batch.request.deviceID, feed: batch.feed,
      order: batch.order, run: batch.run)
  }

  /// Those of canonical entries in a text, each between two places.
  ///
  /// - Parameter next: where an entry lies after the end of another one, which may be less than to the
  ///   end of what it returns.
  /// - Returns: nil if an entry is not a valid sample in canonical bytes, or there are more than
  ///   `count`, which is at most `SealedBatch.maximumRecords`.
  init?(
    _ text: [UInt8], _ next: (_ after: Int?) -> Range<Int>?, deviceID: String, feed: String,
    order: PreciseMoment, run: RunID?, count: Int
  ) {
    var reading = SampleTable.Reading()
    reading.reserveCapacity(count)
    var scan = SampleScan(text, in: 0..<text.count)
    var (written, last): ([UInt8], Int?) = ([], nil)
    while let place = next(last) {
      // A table has room for what a valid batch holds, and an object in a bucket may hold anything.
      guard reading.table.samples.count < count else { return nil }
      written.removeAll(keepingCapacity: true)
      scan.move(to: place.lowerBound)
      var end = place.upperBound
      if let sample = scan.next(into: &written), scan.json.offset <= end {
        end = scan.json.offset
        reading.add(sample, text, written[...])
      } else {
        guard let found = StreamEntry.sample(in: text, at: place.lowerBound, before: end) else {
          return nil
        }
        (end, written) = (found.end, found.entry.bytes)
        reading.add(found.entry)
      }
      guard text[place.lowerBound..<end].elementsEqual(written) else { return nil }
      last = end
    }
    self.init(reading.table, deviceID: deviceID, feed: feed, order: order, run: run)
  }
}

extension SealedBatch {
  /// The samples, as reading the stored batch gives them; nil if its entries were not checked.
  package func samples(feed: String, order: PreciseMoment, run: RunID? = nil) -> StoredSamples? {
    guard stream == .healthKit, let places else { return nil }
    if let sampleTable {
      return StoredSamples(
        sampleTable, deviceID: deviceID, feed: feed, order: order, run: run)
    }
    var rest = places[...]
    return StoredSamples(
      body, { _ in rest.popFirst()?.place }, deviceID: deviceID, feed: feed,
      order: order, run: run, count: places.count)
  }
}
