package import Gzip
package import HealthLedger
package import HealthStreams
package import StoreAccess

extension OpenedStore {
  /// The streams of raw data in the store (R43), packed with zlib.
  package var streams: StreamStore {
    get throws(LedgerError) { try streams(ZlibCompression()) }
  }

  /// The same, packed in some other way.
  package func streams(_ compression: ZlibCompression) throws(LedgerError) -> StreamStore {
    guard let layout = StreamLayout(prefix: ledger.layout.prefix) else {
      throw LedgerError(
        .invalidArguments, "the store's prefix is too long for the keys of streams", rule: "R17",
        remedy: "use a shorter prefix")
    }
    return StreamStore(store: ledger.store, layout: layout, compression: compression)
  }
}
