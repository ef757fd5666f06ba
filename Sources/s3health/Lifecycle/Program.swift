import ArgumentParser
import HealthLedger

/// What the program is to those who start it.
enum Program {
  /// CHANGELOG.md tells what each version brought.
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
