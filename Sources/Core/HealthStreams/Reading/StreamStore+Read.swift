public import ObjectStore

extension StreamStore {
  /// Reads a listed batch and checks it, wherever it stands now (R46, R66).
  ///
  /// - Parameter pack: the pack that holds it, where it was read.
  /// - Returns: nil if it is nowhere; a fault if what is there is not the batch.
  func read(
    _ listed: ListedBatch, in pack: BatchPack? = nil
  ) async throws(StreamError) -> Result<StoredBatch, BatchFault>? {
    try await found(
      listed, pack, { pack, place throws(BatchFault) in try pack.batch(place) },
      { object, place throws(BatchFault) in try StoredBatch(checking: object, at: place) })
  }

  /// How often a batch that is gone where it was listed is looked for again.
  private static let maximumSearches = 4
  /// How many seconds the listing and the reading of one object may differ on when it was stored. If
  /// they differ more, it is another one: its batch went into a pack, and was sent again (R66).
  private static let maximumDifference = 600

  /// Takes a batch out of its pack or its own object. If it is gone since it was listed, it went into a
  /// pack, or its pack into another one: it is listed again.
  func found<Value>(
    _ listed: ListedBatch, _ pack: BatchPack?,
    _ take: (BatchPack, StreamLayout.BatchPlace) throws(BatchFault) -> Value,
    _ check: ([UInt8], StreamLayout.BatchPlace) throws(BatchFault) -> Value
  ) async throws(StreamError) -> Result<Value, BatchFault>? {
    var (listed, pack) = (listed, pack)
    let place = listed.place
    for _ in 0..<Self.maximumSearches {
      if let packed = listed.pack {
        let opened: Result<BatchPack, BatchFault>? =
          if let pack { .success(pack) } else { try await self.pack(packed.place) }
        switch opened {
        case .failure(let fault): return .failure(fault)
        case .success(let pack):
          do throws(BatchFault) { return .success(try take(pack, place)) } catch {
            return .failure(error)
          }
        case nil: break
        }
      } else {
        switch try await unpacked(listed.key, listedAt: listed.lastModified) {
        case .failure(let fault): return .failure(fault)
        case .success(let object):
          do throws(BatchFault) { return .success(try check(object, place)) } catch {
            return .failure(error)
          }
        case nil: break
        }
      }
      let again = try await batches(
        of: place.stream, device: place.deviceID, on: place.date...place.date)
      guard let next = again.batches.first(where: { $0.place.id == place.id }) else {
        // It may be in a pack that can't be read.
        return again.damaged.first.map { .failure(BatchFault($0.code, $0.message)) }
      }
      (listed, pack) = (next, nil)
    }
    throw StreamError(
      StoreError(
        .unavailable, "a batch was moved again and again while it was read",
        key: listed.key.rawValue, remedy: .retry, isRetryable: true))
  }

  /// Reads the object of a batch and checks it: its size, gzip, JSON, digest, counts, entries and place (R46).
  ///
  /// - Returns: nil if there is no object; a fault if it is not a batch of that place.
  /// - Throws: `StreamError` if the store failed, so that nothing is known of the object.
  public func read(
    _ key: ObjectKey, at place: StreamLayout.BatchPlace
  ) async throws(StreamError) -> Result<StoredBatch, BatchFault>? {
    switch try await unpacked(key) {
    case nil: return nil
    case .failure(let fault): return .failure(fault)
    case .success(let object):
      do throws(BatchFault) {
        return .success(try StoredBatch(checking: object, at: place))
      } catch {
        return .failure(error)
      }
    }
  }

  /// The unpacked bytes of an object.
  ///
  /// - Parameters:
  ///   - limit: the most unpacked bytes.
  ///   - packed: the most packed bytes.
  ///   - listedAt: when it was stored, as a listing said.
  /// - Returns: nil if it is not there, or another one is than was listed.
  func unpacked(
    _ key: ObjectKey, limit: Int = StoredBatch.maximumBytes,
    packed: Int = StoredBatch.maximumPackedBytes, listedAt: Int? = nil
  ) async throws(StreamError) -> Result<[UInt8], BatchFault>? {
    let found: StoredObject?
    do throws(StoreError) {
      found = try await store.get(key, limit: packed)
    } catch {
      switch error.code {
      case .tooLarge:
        return .failure(BatchFault(.tooLarge, "the object has more than \(packed) bytes"))
      case .unreadable: return .failure(BatchFault(.unreadable, error.message))
      default: throw StreamError(error)
      }
    }
    guard let found else { return nil }
    if let listedAt, let storedAt = found.lastModified,
      abs(storedAt - listedAt) > Self.maximumDifference
    {
      return nil
    }
    do throws(BatchFault) {
      return .success(try unpack(found.body, limit: limit))
    } catch {
      return .failure(error)
    }
  }

  private func unpack(_ bytes: [UInt8], limit: Int) throws(BatchFault) -> [UInt8] {
    do throws(BatchCompressionError) {
      return try compression.gunzip(bytes, limit: limit)
    } catch {
      switch error {
      case .tooLarge:
        throw BatchFault(.tooLarge, "the batch unpacks to more than \(limit) bytes")
      case .damaged, .failed:
        throw BatchFault(.notGzip, "the object is not gzip, is cut off or is damaged")
      }
    }
  }
}

extension StoredBatch {
  /// That of an unpacked object, checked as a batch of that place.
  init(checking object: [UInt8], at place: StreamLayout.BatchPlace) throws(BatchFault) {
    try self.init(parsing: object)
    try check(at: place)
  }
}
