import AWSCredentials
import Subprocess

/// A command of the shell that a setting names. It may take only so long.
struct ShellCommand: Sendable {
  let text: String
  let limit: Duration
  /// Variables beside this process's own.
  var variables: [Environment.Key: String?] = [:]

  /// What it printed, or why it did not end well: the rest of a sentence that begins with the command.
  func run<Output: OutputProtocol>(
    _ output: Output
  ) async -> Result<Output.OutputType, Failure> {
    let environment = Environment.inherit.updating(variables)
    // A child of the shell may hold the output open after the shell was killed.
    let result = await Deadline.run(limit) { () -> Result<Output.OutputType, Failure> in
      do {
        let ended = try await Subprocess.run(
          .path("/bin/sh"), arguments: ["-c", text], environment: environment, output: output,
          error: .discarded)
        return switch ended.terminationStatus {
        case .exited(0): .success(ended.standardOutput)
        case .exited(let code): .failure(Failure(reason: "ended with exit code \(code)"))
        case .signaled(let signal): .failure(Failure(reason: "was ended by signal \(signal)"))
        }
      } catch {
        return .failure(Failure(reason: "can't be run"))
      }
    }
    return result ?? .failure(Failure(reason: "did not end within \(limit.components.seconds) s"))
  }

  struct Failure: Error {
    let reason: String
  }
}
