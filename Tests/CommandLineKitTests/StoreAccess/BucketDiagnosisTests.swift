import S3Store
import TestSupport
import Testing

@testable import CommandLineKit

@Suite(.tags(.unit)) struct BucketDiagnosisTests {
  @Test func `a bucket that needs no key is warned of, with what anyone can do there`() {
    #expect(BucketDiagnosis.privacy([])?.detail == nil)
    let warning = BucketDiagnosis.privacy([.list, .read])
    #expect(warning?.outcome == .warning)
    #expect(warning?.detail == "anyone can list, read here without a key")
    #expect(warning?.remedy != nil)
  }
}
