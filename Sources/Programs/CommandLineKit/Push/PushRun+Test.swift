package import ArgumentParser
import HTTPClient
import HealthExports
package import HealthLedger

extension PushRun {
  /// Pushes one number under the instance of a test to each gateway, and deletes it.
  package func test(_ format: OutputFormat) async throws(LedgerError) -> ExitCode {
    let time = reader.now()
    var pushes: [GatewayPush] = []
    for address in addresses.map(\.forTest) {
      let push = PushRequest.push(
        PushRequest.testBody, to: address, by: .replace, as: credentials, timeout: timeout)
      var result = GatewayPush(address)
      result.method = .replace
      result.failure = await transport.failure(of: push, hasCredentials: credentials != nil)
      if result.failure == nil {
        result.failure = await transport.failure(
          of: PushRequest.delete(address, as: credentials, timeout: timeout),
          hasCredentials: credentials != nil)
      }
      pushes.append(result)
    }
    let report = PushReport(pushes, at: time, isTest: true)
    try report.print(format)
    return report.exitCode
  }
}
