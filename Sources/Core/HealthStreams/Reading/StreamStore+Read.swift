public import ObjectStore

extension StreamStore {
  /// Reads a batch and checks it: its size, gzip, JSON, digest, counts, entries and place (R46).
  ///
  /// - Returns: nil if there is no object; a fault if it is not a batch of that place.
  /// - Throws: `StreamError` if the store failed, so that nothing is known of the object.
  public func read(
    _ key: ObjectKey, at place: StreamLayout.BatchPlace
  ) async throws(StreamError) -> Result<StoredBatch, BatchFault>? {
    try await read(key) { (object) throws(BatchFault) in
      let batch = try StoredBatch(parsing: object)
      try batch.check(at: place)
      return batch
    }
  }

  /// Reads an object and takes what it holds. Nil if there is no object.
  func read<Value>(
    _ key: ObjectKey, as value: ([UInt8]) throws(BatchFault) -> Value
  ) async throws(StreamError) -> Result<Value, BatchFault>? {
    switch try await unpacked(key) {
    case nil: return nil
    case .failure(let fault): return .failure(fault)
    case .success(let object):
      do throws(BatchFault) {
        return .success(try value(object))
      } catch {
        return .failure(error)
      }
    }
  }

  /// The unpacked bytes of an object; nil if it is not there.
  func unpacked(_ key: ObjectKey) async throws(StreamError) -> Result<[UInt8], BatchFault>? {
    let found: StoredObject?
    do throws(StoreError) {
      found = try await store.get(key, limit: StoredBatch.maximumPackedBytes)
    } catch {
      switch error.code {
      case .tooLarge:
        return .failure(
          BatchFault(
            .tooLarge, "the object has more than \(StoredBatch.maximumPackedBytes) bytes"))
      case .unreadable: return .failure(BatchFault(.unreadable, error.message))
      default: throw StreamError(error)
      }
    }
    guard let found else { return nil }
    do throws(BatchFault) {
      return .success(try unpack(found.body))
    } catch {
      return .failure(error)
    }
  }

  private func unpack(_ bytes: [UInt8]) throws(BatchFault) -> [UInt8] {
    do throws(BatchCompressionError) {
      return try compression.gunzip(bytes, limit: StoredBatch.maximumBytes)
    } catch {
      switch error {
      case .tooLarge:
        throw BatchFault(
          .tooLarge, "the batch unpacks to more than \(StoredBatch.maximumBytes) bytes")
      case .damaged, .failed:
        throw BatchFault(.notGzip, "the object is not gzip, is cut off or is damaged")
      }
    }
  }
}
