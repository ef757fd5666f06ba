import Foundation
import TestSupport
import Testing

/// Further manners of a server, and what `doctor` says of them.
extension DoctorOnHostileServersTests {
  @Test func `a server that handles one connection at a time is slow, and works`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    defer { program.removeHome() }
    let run = try await DoctorAgreement.run(
      program,
      ["--store", "s3://bucket/p", "--endpoint-url", server.endpoint("honest", isSerial: true)])
    #expect(run.doctor.exitCode == 0, "\(run.doctor.output)")
    DoctorAgreement.check(run)
  }

  /// A source that covers a part of a day looks at the day again after its write.

  @Test(arguments: [
    ("r2region", "--region", "InvalidRegionName"), ("plainrefusal", "operator", "InvalidRequest"),
    ("foreign404", "NoSuchKey", "not S3's"), ("nowrite501", "another store", "not implemented"),
  ])
  func `a refusal gets the advice of its fault, and none of encryption that was not asked for`(
    manner: String, remedy: String, words: String
  ) async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    defer { program.removeHome() }
    let store = ["--store", "s3://bucket/p", "--endpoint-url", server.endpoint(manner)]
    let put = try await program.run(["put", "--input", "-"] + store, input: payload())
    let doctor = try await program.run(["doctor"] + store)
    for text in [put.errors, doctor.output] {
      #expect(text.contains(words) && text.contains(remedy), "\(text)")
      #expect(!text.contains("sse"), "\(text)")
    }
    #expect(doctor.output.contains("Not ready"))
    #expect(!put.errors.contains("run `s3health doctor`"), "\(put.errors)")
  }
}
