import ObjectStore
import StoreTesting

/// A store whose conditional writes are taken for compare-and-swap, to convict one that a probe has
/// refused or could not refute. Its writes are as conditional as they were.
struct AssumingStore: ForwardingStore {
  let base: any ObjectStore

  func conditionalWrites() async throws(StoreError) -> ConditionalWrites { .compareAndSwap }
}
