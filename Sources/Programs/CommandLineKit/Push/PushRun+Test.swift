package import ArgumentParser
import HTTPClient
import HealthExports
package import HealthLedger

extension PushRun {
  /// Pushes one number under the instance of a test to each gateway, and deletes it.
  package func test(_ format: OutputFormat) async throws(LedgerError) -> ExitCode {
    var report = PushReport(addresses.map(\.forTest), at: reader.now(), isTest: true)
    for (number, address) in addresses.map(\.forTest).enumerated() {
      let push = PushRequest.push(
        PushRequest.testBody, to: address, by: .replace, as: credentials, timeout: timeout)
      var result = GatewayPush(failuresBefore: 0)
      result.method = .replace
      result.failure = await transport.failure(of: push, hasCredentials: credentials != nil)
      if result.failure == nil {
        result.failure = await transport.failure(
          of: PushRequest.delete(address, as: credentials, timeout: timeout),
          hasCredentials: credentials != nil)
      }
      report.take(result, of: number)
    }
    try report.print(format)
    return report.exitCode
  }
}
