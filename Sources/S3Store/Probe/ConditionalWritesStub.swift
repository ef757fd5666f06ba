package import ObjectStore

extension S3Store {
  package func conditionalWrites() async throws(StoreError) -> ConditionalWrites { .compareAndSwap }
}
