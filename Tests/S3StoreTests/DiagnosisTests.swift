import ObjectStore
import SigV4
import TestSupport
import Testing

@testable import S3Store

@Suite struct DiagnosisTests {
  @Test(arguments: TestServer.all)
  func `a good store is sound in every point`(server: TestServer) async throws {
    var options = S3Store.Options()
    options.probePrefix = freshPrefix()
    let store = try server.store(options: options) {
      $0.origins = [SettingOrigin("region", value: "us-east-1", origin: "AWS_REGION")]
    }
    let diagnosis = try await store.diagnose()
    #expect(diagnosis.isSound, "\(diagnosis.findings)")
    #expect(
      diagnosis.findings.map(\.name) == [
        "credentials", "reach", "clock", "write", "clean up", "conditional writes",
      ])
    #expect(diagnosis.findings.allSatisfy { $0.state == .fine && $0.remedy == nil })
    #expect(diagnosis.settings.count == 1)
    #expect(diagnosis.probe?.isRaced == true)
    #expect(!"\(diagnosis)".contains(server.secretKey))
  }

  @Test(arguments: ServerFailureTests.strict)
  func `a wrong secret fails at the reach and the rest is not asked`(
    server: TestServer
  ) async throws {
    let store = try server.store(
      credentials: SigningCredentials(accessKeyID: server.accessKey, secretAccessKey: "wrongest"))
    let diagnosis = try await store.diagnose()
    #expect(!diagnosis.isSound)
    #expect(diagnosis.findings.map(\.state) == [.fine, .failed] + Array(repeating: .skipped, count: 4))
    #expect(diagnosis.findings[1].detail.contains("SignatureDoesNotMatch"))
    #expect(diagnosis.findings[1].remedy?.contains("secret key") == true)
    #expect(!"\(diagnosis)".contains("wrongest"))
  }

  @Test(arguments: [
    ("ignorescreate", StoreDiagnosis.Finding.State.warning, true),
    ("says501", .warning, false), ("racy", .warning, true), ("honest", .fine, true),
  ])
  func `a store that is not sound is a warning with its remedy`(
    mode: String, state: StoreDiagnosis.Finding.State, isWritten: Bool
  ) async throws {
    let diagnosis = try await HostileServer(mode).store().diagnose()
    let last = try #require(diagnosis.findings.last)
    #expect(last.state == state)
    #expect((last.remedy == nil) == (state == .fine))
    #expect(diagnosis.findings[3].state == (isWritten ? .fine : .failed))
  }

  @Test func `a clock that is off is a warning`() async throws {
    let diagnosis = try await HostileServer("skewed").store().diagnose(racing: false)
    #expect(diagnosis.findings[2].state == .warning)
    #expect(diagnosis.findings[2].remedy == "set the clock of this machine")
    #expect(diagnosis.isSound)
  }
}
