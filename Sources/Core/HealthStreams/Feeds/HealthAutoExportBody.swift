public import HealthModel

/// Reads what Health Auto Export posts (R55): a payload, which is kept whole.
///
/// Whether its rows are days or weeks shows only in all of them together, so a payload is never
/// split, and no row of it is refused here.
public enum HealthAutoExportBody {
  /// A payload as it is stored.
  public struct Payload: Hashable, Sendable {
    /// One entry, sealed.
    public let batch: SealedBatch
    /// Whether it has rows with dates. One without is about no day.
    public let hasDates: Bool
  }

  /// The header that says when the file with the payload was written. A payload may wait in a queue, so
  /// the time of its receipt does not show how much of a day it covers.
  package static let writtenAt = "automation-written-at"

  /// What a session begins with that stands for the moment of receipt.
  private static let receivedPrefix = "received "

  /// - Parameters:
  ///   - bytes: the body of the request.
  ///   - headers: those of the request, by lower-case name. The app's own are kept, the others not.
  ///   - deviceID: the id of the device that the token stands for.
  ///   - receivedAt: when the request came.
  ///   - spans: the moments that a payload touches.
  /// - Throws: `RequestFault` for a body that is not a JSON object, or too large to be kept whole, and
  ///   for an id of a device that is not a UUID.
  public static func read(
    _ bytes: [UInt8], headers: [String: String], deviceID: String, receivedAt: Timestamp,
    spans: (JSONValue) -> [ClosedRange<Timestamp>]
  ) throws(RequestFault) -> Payload {
    try read(
      bytes, headers: headers, deviceID: try BatchMember.deviceID(deviceID),
      order: PreciseMoment(receivedAt), spans: spans)
  }

  /// The same, of a request that came at a moment of its own.
  package static func read(
    _ bytes: [UInt8], headers: [String: String], deviceID: String, order: PreciseMoment,
    spans: (JSONValue) -> [ClosedRange<Timestamp>]
  ) throws(RequestFault) -> Payload {
    let (entry, hasDates) = try entry(
      of: bytes, headers: headers, receivedAt: order.timestamp, spans: spans)
    let batch = sealed(entry, headers: headers, deviceID: deviceID, order: order)
    guard batch.body.count <= SealedBatch.maximumBytes else {
      throw RequestFault(.tooLarge, "the payload has more than \(SealedBatch.maximumBytes) bytes")
    }
    return Payload(batch: batch, hasDates: hasDates)
  }

  package static func sealed(
    _ entry: StreamEntry, headers: [String: String], deviceID: String, order: PreciseMoment
  ) -> SealedBatch {
    SealedBatch(
      checked: [entry], of: .healthAutoExport, deviceID: deviceID,
      session: session(headers["session-id"], order),
      appVersion: AppReading.App.healthAutoExport.feed)
  }

  /// The entries of a payload that is longer than a batch. Each names the moments that all of them
  /// touch, so that whoever needs one has all.
  ///
  /// - Parameters:
  ///   - digest: SHA-256 as 64 lower-case hex digits, by a library of the program's.
  ///   - spans: the moments that a part touches.
  package static func parts(
    of bytes: [UInt8], digest: SealedBatch.Digest, headers: [String: String],
    receivedAt: Timestamp, partBytes: Int = PayloadParts.usualBytes,
    spans: (JSONValue) -> [ClosedRange<Timestamp>]
  ) throws(RequestFault) -> (entries: [StreamEntry], hasDates: Bool) {
    let (parts, id) = (PayloadParts(bytes, partBytes: partBytes), digest(bytes))
    var (touched, count): ([ClosedRange<Timestamp>], Int) = ([], 0)
    try parts.forEach { value in
      touched = EntrySpans.covering(touched + spans(value))
      count += 1
    }
    var entries: [StreamEntry] = []
    try parts.forEach { (value) throws(RequestFault) in
      let part = count == 1 ? nil : PayloadPart(of: id, number: entries.count + 1, count: count)
      entries.append(try entry(value, part, headers, receivedAt, touched))
    }
    return (entries, !touched.isEmpty)
  }

  /// The entry of a payload, whole.
  ///
  /// - Parameters:
  ///   - bytes: the payload as the app writes it.
  ///   - headers: those of the app's request, by lower-case name; none for a file.
  ///   - receivedAt: files a payload that touches no moment.
  ///   - spans: the moments that a payload touches.
  /// - Returns: the entry, and whether it has rows with dates.
  public static func entry(
    of bytes: [UInt8], headers: [String: String], receivedAt: Timestamp,
    spans: (JSONValue) -> [ClosedRange<Timestamp>]
  ) throws(RequestFault) -> (entry: StreamEntry, hasDates: Bool) {
    let value = try value(of: bytes)
    let touched = EntrySpans.covering(spans(value))
    return (try entry(value, nil, headers, receivedAt, touched), !touched.isEmpty)
  }

  /// The entry of a payload in a file, whole.
  ///
  /// - Parameters:
  ///   - writtenAt: when the file was written, if that is known.
  ///   - receivedAt, spans: as above.
  package static func entry(
    of bytes: [UInt8], writtenAt: Timestamp?, receivedAt: Timestamp,
    spans: (JSONValue) -> [ClosedRange<Timestamp>]
  ) throws(RequestFault) -> StreamEntry {
    let value = try value(of: bytes)
    let touched = EntrySpans.covering(spans(value))
    var headers: [String: String] = [:]
    // If the file seems to be a day older than its rows, its time was lost when it was copied.
    if let writtenAt,
      touched.last.map({ $0.lowerBound <= writtenAt.adding(seconds: 86_400) }) ?? true
    {
      headers[Self.writtenAt] = "\(writtenAt)"
    }
    return try entry(value, nil, headers, receivedAt, touched)
  }

  private static func value(of bytes: [UInt8]) throws(RequestFault) -> JSONValue {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
    let value: JSONValue
    do {
      value = try JSONValue(parsing: text, maximumDepth: IngestRequest.maximumDepth - 3)
    } catch {
      throw RequestFault(
        .notJSON, "the body is not JSON (choose JSON as the automation's format): \(error)")
    }
    guard case .object = value else {
      throw RequestFault(.notRecognised, "the body is not a JSON object")
    }
    return value
  }

  private static func entry(
    _ value: JSONValue, _ part: PayloadPart?, _ headers: [String: String], _ receivedAt: Timestamp,
    _ touched: [ClosedRange<Timestamp>]
  ) throws(RequestFault) -> StreamEntry {
    var kept: [String: JSONValue] = [:]
    for (name, text) in headers where name.hasPrefix("automation-") && name.utf8.count <= 40 {
      kept[name] = .string(text.prefix(bytes: 200))
    }
    var members: [String: JSONValue] = [
      "timestamp": .string("\(touched.first?.lowerBound ?? receivedAt.hour)"),
      "spans": .array(
        touched.map { .array([.string("\($0.lowerBound)"), .string("\($0.upperBound)")]) }),
      "headers": .object(kept), "payload": value,
    ]
    members["part"] = part?.json
    do throws(RequestFault) {
      return try StreamEntry(.object(members), of: .healthAutoExport)
    } catch {
      throw RequestFault(error.code == .tooLarge ? .tooLarge : .notRecognised, error.message)
    }
  }

  /// What the app would post of a sealed batch of one payload: the payload itself, the app's headers,
  /// and the batch's session, which distinguishes it from an equal payload of another time.
  ///
  /// - Returns: nil for any other batch.
  package static func post(
    of batch: SealedBatch
  ) -> (body: [UInt8], headers: [(name: String, value: String)])? {
    guard batch.stream == .healthAutoExport, batch.recordCount == 1,
      let request = try? IngestRequest(sealed: batch.body), let entry = request.entries.first,
      let value = try? JSONValue(parsing: entry.bytes), let payload = value["payload"],
      value["part"] == nil, case .object(let kept)? = value["headers"]
    else { return nil }
    var headers = kept.keys.sorted().compactMap { name in
      kept[name]?.stringValue.map { (name: name, value: $0) }
    }
    if let session = request.session { headers.append(("session-id", session)) }
    return (payload.canonicalBytes, headers)
  }

  /// What distinguishes the payload from an equal one that the app captured at another time: its session,
  /// else the moment of receipt. A weight that comes back to 71.2 is not the first 71.2.
  private static func session(_ header: String?, _ order: PreciseMoment) -> String {
    guard let header, !header.isEmpty else { return receivedPrefix + "\(order)" }
    return header.utf8.count <= 100 ? header : SealedBatch.digest(of: Array(header.utf8))
  }
}
