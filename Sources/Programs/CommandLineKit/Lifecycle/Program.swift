package import ArgumentParser
import CMemory
import Foundation
package import HealthLedger
import Synchronization

/// The program's version and exit codes.
package enum Program {
  /// CHANGELOG.md describes the changes of each version.
  package static let version = "0.1.0"

  /// What servers are told of it.
  package static var userAgent: String { "\(name)/\(version)" }

  private static let running = Mutex("s3health")
  private static let options = Mutex(GivenSettings())

  /// The options that commands in a remedy need too, because no variable and no file gives them to the next
  /// command: the store, and the person whose days they are about (R64).
  package static var given: GivenSettings { options.withLock(\.self) }

  package static func `repeat`(_ given: GivenSettings) { options.withLock { $0 = given } }

  /// The name of the program that runs, for messages.
  package static var name: String { running.withLock(\.self) }

  /// The path of the file that runs; nil if the system does not say.
  package static var file: String? {
    #if os(Linux)
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    #else
      Bundle.main.executablePath
    #endif
  }

  /// From now on messages name this program.
  package static func begin(_ name: String) { running.withLock { $0 = name } }
}

extension LedgerError.Code {
  /// The exit code of SPEC R40.
  package var exitCode: ExitCode {
    switch self {
    case .invalidArguments: ExitCode(64)
    case .dataNotFound: ExitCode(66)
    case .storageUnavailable: ExitCode(69)
    case .internal: ExitCode(70)
    case .notAuthorized: ExitCode(77)
    }
  }
}

package let foundSomething = ExitCode(1)

extension Program {
  /// Makes the process ready for work. Call it first.
  ///
  /// - Parameter name: the program's name, for messages.
  /// - Returns: what the machine lacks; nil if it has what the program needs.
  package static func prepare(_ name: String) -> LedgerError? {
    begin(name)
    StandardStreams.fillGaps()
    // A reader that closes the pipe must not end a publish half-way. Writing the results reports
    // it.
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow is an error to report. The signal would end the program instead.
    signal(SIGXFSZ, SIG_IGN)
    s3h_return_large_blocks()
    // A core file would contain credentials.
    var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
    #if os(Linux)
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
    #else
      setrlimit(RLIMIT_CORE, &noCore)
    #endif
    return ProcessLimits.prepare()
  }
}
