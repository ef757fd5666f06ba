import CommandLineKit
import Foundation
import HealthLedger
import Subprocess
import Synchronization

/// One process of a race: this program again, with its orders on stdin.
enum RaceProcess {
  /// When to kill the process.
  enum KillCondition: Sendable {
    case never
    /// Shortly after its journal has reached this many bytes.
    case journal(Int)
    /// When this flag is set.
    case signal(Flag)
  }

  /// An event that happens once.
  final class Flag: Sendable {
    private let value = Atomic(false)
    var isRaised: Bool { value.load(ordering: .acquiring) }
    func raise() { value.store(true, ordering: .releasing) }
  }

  /// Runs it to its end. Returns true if it was killed.
  ///
  /// - Throws: the reason if it died by itself, and a cancellation error if the task is cancelled.
  static func run(_ order: WorkerOrder, _ condition: KillCondition) async throws(LedgerError)
    -> Bool
  {
    let input = try order.encoded()
    let status: TerminationStatus
    let words: String
    do {
      let program = Executable.path(.init(try Self.program()))
      if order.isVerbose {
        // Its log is for the person, and has no bound.
        let result = try await Subprocess.run(
          program, arguments: ["worker"], input: .array(input), output: .discarded,
          error: .currentStandardError
        ) { try await Self.oversee($0.processIdentifier.value, order, condition) }
        (status, words) = (result.terminationStatus, "")
      } else {
        let result = try await Subprocess.run(
          program, arguments: ["worker"], input: .array(input), output: .discarded,
          error: .string(limit: 16 << 20)
        ) { try await Self.oversee($0.processIdentifier.value, order, condition) }
        (status, words) = (result.terminationStatus, result.standardError)
      }
    } catch let error as LedgerError {
      throw error
    } catch {
      if Task.isCancelled { throw Self.interrupted }
      throw LedgerError(.internal, "a process of the race can't be run: \(error)")
    }
    switch status {
    case .exited(0): return false
    case .signaled(SIGKILL) where !Task.isCancelled:
      guard case .never = condition else { return true }
    default: break
    }
    if Task.isCancelled { throw Self.interrupted }
    throw Self.death(status, words)
  }

  /// Kills the process on the condition.
  private static func oversee(
    _ process: pid_t, _ order: WorkerOrder, _ condition: KillCondition
  ) async throws {
    guard try await waits(for: condition, order.journal, process: process) else { return }
    // It may have ended at this moment. It is not collected yet, so the id is still its own.
    kill(process, SIGKILL)
  }

  static let interrupted = LedgerError(.internal, "the race was interrupted")

  /// Returns true when it must be killed, false if it ended before.
  private static func waits(
    for condition: KillCondition, _ journal: String, process: pid_t
  ) async throws -> Bool {
    while !hasEnded(process) {
      switch condition {
      case .never: return false
      case .signal(let flag):
        if flag.isRaised { return true }
        try await Task.sleep(for: .milliseconds(5))
      case .journal(let size):
        if RaceFile.size(journal) >= size {
          try await Task.sleep(for: .microseconds(Int.random(in: 0...4000)))
          return true
        }
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    return false
  }

  /// Checks this without collecting the exit status, which the launcher collects.
  private static func hasEnded(_ process: pid_t) -> Bool {
    var information = siginfo_t()
    let found = waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
    return found != 0 || information.si_signo == SIGCHLD
  }

  private static func program() throws(LedgerError) -> String {
    guard let path = Program.file else {
      throw LedgerError(.internal, "the path of this program can't be found")
    }
    return path
  }

  /// Its error output, with the code for its exit status.
  private static func death(_ status: TerminationStatus, _ words: String) -> LedgerError {
    var code = LedgerError.Code.internal
    if case .exited(let number) = status {
      code = LedgerError.Code.allCases.first { $0.exitCode.rawValue == number } ?? .internal
    }
    let said = words.split(separator: "\n").prefix(4).joined(separator: " | ")
    return LedgerError(
      code, "a process of the race died (\(status))\(said.isEmpty ? "" : ": \(said)")",
      remedy: "run `s3health doctor` on this store")
  }
}
