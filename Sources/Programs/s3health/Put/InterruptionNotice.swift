import CommandLineKit
import Foundation
import HealthModel
import Synchronization

/// What Ctrl-C prints during a long command. The command then ends like any interrupted program.
///
/// Nothing is cleaned up: whatever a publish leaves behind at any moment is consistent (SPEC R20 to
/// R27). So ending immediately is as safe as a power cut, and faster.
final class InterruptionNotice: Sendable {
  private enum Stage {
    /// The input is being read, or is about to be.
    case reading
    case published(Int, total: Int, RunID)

    /// Composed only when it is printed, because there is a stage after each day.
    var sentence: String {
      switch self {
      case .reading: return "interrupted while reading; nothing was published"
      case .published(let count, let total, let run):
        let done = count == 0 ? "before the first" : "after \(count.grouped)"
        return
          "interrupted \(done) of \(total.grouped) days; run the same command again to "
          + "continue; nothing is stored twice"
          + (count == 0 ? "" : "\nrun \(run); s3health undo \(run) withdraws it")
      }
    }
  }

  private let stage = Mutex(Stage.reading)

  /// From now on reports how many of the days are published, and that running the command again is
  /// safe.
  func sayPublished(_ count: Int, of total: Int, _ run: RunID) {
    stage.withLock { $0 = .published(count, total: total, run) }
  }

  /// Handles Ctrl-C until the program ends, unless the parent process ignores it.
  func listen() {
    EndSignals.listen(for: [SIGINT], unlessIgnored: [SIGINT]) { [self] number, isFirst in
      // Only the first Ctrl-C prints the message.
      guard isFirst else { return }
      let stage = stage.withLock { $0 }
      if Terminal.standardError().isTerminal { StandardStreams.overwrite("") }
      StandardStreams.note("s3health: \(stage.sentence)")
      endBySignal(number)
    }
  }
}
