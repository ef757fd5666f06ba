import Foundation
import Subprocess
import TestSupport
import Testing

/// `PhonePreview`, as a reader runs it.
@Suite(.process, .nightly) struct PhonePreviewTests {
  private func preview(_ arguments: [String]) async throws -> (
    status: TerminationStatus, text: String
  ) {
    let result = try await Subprocess.run(
      .path(.init(BuiltProgram.path("PhonePreview"))), arguments: .init(arguments),
      output: .string(limit: 1 << 20), error: .discarded)
    return (result.terminationStatus, result.standardOutput)
  }

  @Test(arguments: [
    ("onboarding", "│ [ I agree ]"),
    ("onboarding", "│    Open Settings, choose Location, and then Always."),
    ("onboarding", "│ Uploaded 1200 of 8500"), ("today", "│ Today   ● LIVE"),
    ("sync", "│ healthkit: 42 waiting, 0 failed, 0 uploaded"),
    ("gateways", "│    [ Test ]  ✅ The test was taken"),
    ("records", "│ ✅ Up to date, 2026-07-10 3:42 PM"),
    ("settings", "│ Audio Input: iPhone Microphone (the chosen one is not connected)"),
    ("log", "recording_interrupted  Audio interruption began"),
  ])
  func `each screen is printed as a person would see it`(
    screen: String, line: String
  ) async throws {
    let (status, text) = try await preview([screen])
    #expect(status.isSuccess)
    #expect(text.split(separator: "\n").contains { $0.hasSuffix(line) }, "\(text)")
  }

  @Test func `a screen that is not there is named as a misuse`() async throws {
    #expect(try await preview(["kitchen"]).status == .exited(64))
  }
}
