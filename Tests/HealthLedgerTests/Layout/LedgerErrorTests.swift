import ObjectStore
import Testing

@testable import HealthLedger

/// R40: five codes for everything.
@Suite(.unit) struct LedgerErrorTests {
  @Test(arguments: [
    (StoreError.Code.notAuthorized, "NOT_AUTHORIZED"), (.storeMissing, "STORAGE_UNAVAILABLE"),
    (.unavailable, "STORAGE_UNAVAILABLE"), (.unsupported, "STORAGE_UNAVAILABLE"),
    (.tooLarge, "STORAGE_UNAVAILABLE"), (.cancelled, "STORAGE_UNAVAILABLE"),
    (.invalidRequest, "INVALID_ARGUMENTS"), (.internal, "INTERNAL"),
  ])
  func `R40 a store's failure has one of the five codes`(code: StoreError.Code, word: String) {
    let error = LedgerError(
      StoreError(
        code, "it failed", key: "k", remedy: "mend it", serverDetail: "SlowDown",
        isRetryable: true))
    #expect(error.code.rawValue == word)
    #expect(error.isRetryable)
    #expect(error.description == "it failed: the server said SlowDown (k); mend it")
  }
}
