import ArgumentParser
import HealthLedger

/// The program's version and exit codes.
enum Program {
  /// CHANGELOG.md describes the changes of each version.
  static let version = "0.1.0"
}

extension LedgerError.Code {
  /// The exit code of SPEC R40.
  var exitCode: ExitCode {
    switch self {
    case .invalidArguments: ExitCode(64)
    case .dataNotFound: ExitCode(66)
    case .storageUnavailable: ExitCode(69)
    case .internal: ExitCode(70)
    case .notAuthorized: ExitCode(77)
    }
  }
}

/// Exit code of a check that found something.
let foundSomething = ExitCode(1)
