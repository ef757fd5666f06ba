import ObjectStore

extension StreamStore {
  /// Reads a pack and checks its head and its digest (R66).
  ///
  /// - Parameter isFresh: whether the object itself is read, whatever is kept of it.
  /// - Returns: nil if there is no object; a fault if it is not the pack of its key.
  func pack(
    _ place: PackPlace, isFresh: Bool = false
  ) async throws(StreamError) -> Result<BatchPack, BatchFault>? {
    let key = layout.key(of: place)
    if !isFresh, let known = packs.pack(key.rawValue) { return .success(known) }
    let read = try await unpacked(
      key, limit: BatchPack.maximumTextBytes, packed: BatchPack.maximumPackedBytes)
    switch read {
    case nil: return nil
    case .failure(let fault): return .failure(fault)
    case .success(let text):
      do throws(BatchFault) {
        let pack = try BatchPack(opening: text, at: place, digest)
        packs.keep(pack, key.rawValue)
        return .success(pack)
      } catch {
        return .failure(error)
      }
    }
  }

  /// A pack as an object.
  func packed(_ pack: BatchPack) throws(StreamError) -> [UInt8] {
    do throws(BatchCompressionError) {
      return try compression.gzip([pack.text[...]])
    } catch {
      throw StreamError(StoreError(.internal, "the batches can't be packed: \(error)"))
    }
  }
}

extension BatchPack {
  /// A batch of it, checked as an object of its own is (R46).
  func batch(_ place: StreamLayout.BatchPlace) throws(BatchFault) -> StoredBatch {
    guard let (member, object) = object(of: Name(place.date, place.id)) else {
      throw BatchFault(.notABatch, "the pack does not hold the batch")
    }
    let batch = try StoredBatch(checking: object, at: place)
    try member.check(batch.order, batch.feed)
    return batch
  }

  /// The samples of a batch of it, checked in the same way.
  func samples(
    _ place: StreamLayout.BatchPlace, _ digest: SealedBatch.Digest
  ) throws(BatchFault) -> StoredSamples {
    guard let (member, object) = object(of: Name(place.date, place.id)) else {
      throw BatchFault(.notABatch, "the pack does not hold the batch")
    }
    let samples = try StoredSamples(checking: object, at: place, digest)
    try member.check(samples.order, samples.feed)
    return samples
  }

  /// Throws unless every batch of it is whole.
  func checkAll(_ place: PackPlace) throws(BatchFault) {
    for member in members {
      _ = try batch(
        StreamLayout.BatchPlace(
          stream: place.stream, deviceID: place.deviceID, date: member.date, id: member.id))
    }
  }
}
