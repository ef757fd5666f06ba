package import HealthModel

/// The body of a request as a server takes it that refuses nothing which it can keep (R54): of any
/// number of entries, some of them perhaps not valid, with members that nobody knows.
///
/// The body is walked over again for each question, so that little more than itself is in memory.
package struct OpenRequest {
  package let stream: StreamName
  /// A UUID in lower case.
  package let deviceID: String
  package let session: String?
  /// How many entries it has, valid or not.
  package let recordCount: Int
  /// The members that are not part of the format; nil if there are none.
  package let others: JSONValue?
  private let appVersion: String
  private let body: [UInt8]
  /// Where the array of entries begins, or the blanks before it.
  private let start: Int

  /// The most bytes of a body.
  package static let maximumBytes = 64 << 20

  /// An entry that can't be used, and where it stands.
  package struct Refused: Sendable {
    package let index: Int
    package let entry: JSONValue
    package let fault: RequestFault
  }

  /// Entries that one batch can hold, or what was between them.
  package enum Piece: Sendable {
    case batch(SealedBatch)
    case refused([Refused])
  }

  /// Reads all but the entries.
  ///
  /// - Throws: `IngestRefusal` if it is not clear what the body contains, or whose data it is.
  package init(parsing body: [UInt8]) throws(IngestRefusal) {
    var found: (members: [String: JSONValue], data: (start: Int, count: Int)?)
    do throws(JSONError) {
      found = try Self.members(body)
    } catch {
      throw IngestRefusal([RequestFault(.notJSON, "", "the body is not JSON: \(error)")])
    }
    var reader = BatchRequestReader(streams: StreamName.collected)
    let head = reader.head(found.members) { reader, _ in
      if let data = found.data, data.count > 0 { return data.count }
      reader.faults.append(
        found.members["data"] == nil && found.data == nil
          ? RequestFault(.missingMember, "/data", "\"data\" is missing") : .noEntries)
      return nil
    }
    guard let head, let data = found.data, reader.faults.isEmpty else {
      throw IngestRefusal(reader.faults)
    }
    (stream, deviceID, session) = (head.stream, head.deviceID, head.session)
    (appVersion, self.body) = (head.appVersion, body)
    (start, recordCount) = (data.start, data.count)
    var others = found.members.filter { !BatchRequestReader.members.contains($0.key) }
    if case .object(let metadata)? = found.members["batch_metadata"] {
      let further = metadata.filter { !BatchRequestReader.metadataMembers.contains($0.key) }
      if !further.isEmpty { others["batch_metadata"] = .object(further) }
    }
    self.others = others.isEmpty ? nil : .object(others)
  }

  /// The members of a body; of `data`, if it is an array, where it is, and how many elements it
  /// has.
  private static func members(
    _ body: [UInt8]
  ) throws(JSONError) -> (members: [String: JSONValue], data: (start: Int, count: Int)?) {
    var walk = JSONWalk(body, maximumDepth: IngestRequest.maximumDepth) { $0 }
    var (members, data): ([String: JSONValue], (start: Int, count: Int)?) = ([:], nil)
    guard try walk.enter("{") else {
      // Whatever else it is: `BatchRequestReader` says what is wrong with it.
      _ = try JSONValue(parsing: body, maximumDepth: IngestRequest.maximumDepth)
      throw JSONError(.syntax, at: 0, "an object expected")
    }
    try walk.members { (walk, key) throws(JSONError) in
      let place = walk.offset
      guard key == "data", try walk.enter("[") else {
        members[key] = try walk.value()
        return
      }
      var found = (start: place, count: 0)
      try walk.elements { (walk) throws(JSONError) in
        _ = try walk.value()
        found.count += 1
      }
      data = found
    }
    try walk.finish()
    return (members, data)
  }

  // MARK: - Entries

  /// Calls `read` with each entry, in its order, or with what is wrong with it.
  private func forEach<Failure: Error>(
    _ read: (Int, JSONValue, Result<StreamEntry, RequestFault>) async throws(Failure) -> Void
  ) async throws(Failure) {
    // One level of the body is around the entries.
    var walk = JSONWalk(body, maximumDepth: IngestRequest.maximumDepth - 1) { $0 }
    // It was walked over before.
    guard (try? walk.seek(start)) != nil, (try? walk.enter("[")) == true else { return }
    for index in 0..<recordCount {
      guard (try? walk.next(before: "]", isFirst: index == 0)) == true,
        let value = try? walk.value()
      else { return }
      let entry: Result<StreamEntry, RequestFault>
      do throws(RequestFault) {
        entry = .success(try StreamEntry(value, of: stream))
      } catch {
        entry = .failure(error)
      }
      try await read(index, value, entry)
    }
  }

  /// The faults of those entries that are not valid.
  package func faults() async -> IngestRefusal {
    var faults = IngestRefusal()
    await forEach { index, _, entry in
      if case .failure(let error) = entry { faults.add(error.inEntry(at: index)) }
    }
    return faults
  }

  /// Gives all entries away, in their order, in pieces that a batch can hold.
  ///
  /// - Parameters:
  ///   - session: stands in for a session that the client did not send.
  ///   - mostDates: on how many UTC dates the entries of a batch may begin.
  ///   - digest: SHA-256 as 64 lower-case hex digits, by a library of the program's.
  package func pieces<Failure: Error>(
    session: String, mostDates: Int, digest: SealedBatch.Digest,
    _ take: (Piece) async throws(Failure) -> Void
  ) async throws(Failure) {
    var (entries, bytes): ([StreamEntry], Int) = ([], 0)
    var dates: Set<CalendarDate> = []
    var (refused, refusedBytes): ([Refused], Int) = ([], 0)
    func batch() -> SealedBatch {
      var batch = BatchBody(
        count: entries.count, entryBytes: bytes, session: self.session ?? session,
        appVersion: appVersion)
      for entry in entries {
        batch.append(entry.bytes, entry.start...max(entry.start, entry.end))
      }
      return batch.seal(stream, deviceID: deviceID, digest: digest)
    }
    try await forEach { (index, value, entry) async throws(Failure) in
      switch entry {
      case .success(let entry):
        let date = entry.start.utcDate
        let isFull =
          dates.count == mostDates && !dates.contains(date)
          || entries.count == SealedBatch.maximumRecords
          || bytes + entry.bytes.count + 1 > SealedBatch.maximumBytes - 4096
        if isFull {
          try await take(.batch(batch()))
          (entries, bytes, dates) = ([], 0, [])
        }
        dates.insert(date)
        entries.append(entry)
        bytes += entry.bytes.count + 1
      case .failure(let error):
        let size = value.canonicalBytes.count
        if refused.count == 1000 || refusedBytes + size > 1 << 20, !refused.isEmpty {
          try await take(.refused(refused))
          (refused, refusedBytes) = ([], 0)
        }
        refused.append(
          Refused(index: index, entry: value, fault: error.inEntry(at: index)))
        refusedBytes += size
      }
    }
    if !entries.isEmpty { try await take(.batch(batch())) }
    if !refused.isEmpty { try await take(.refused(refused)) }
  }
}
