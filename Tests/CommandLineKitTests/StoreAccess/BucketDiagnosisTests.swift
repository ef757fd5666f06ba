import S3Store
import TestSupport
import Testing

@testable import CommandLineKit

@Suite(.unit) struct BucketDiagnosisTests {
  @Test func `a bucket that requires no key gets a warning that says what anyone can do`() {
    #expect(BucketDiagnosis.privacy([])?.detail == nil)
    let warning = BucketDiagnosis.privacy([.list, .read])
    #expect(warning?.outcome == .warning)
    #expect(warning?.detail == "anyone can list, read here without a key")
    #expect(warning?.remedy != nil)
  }
}
