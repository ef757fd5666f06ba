import CMemory
import Foundation
package import HealthLedger

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
