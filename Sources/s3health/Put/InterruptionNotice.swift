import Foundation
import Synchronization

/// What Ctrl-C says while a long command runs; the command then ends as interrupted programs do.
///
/// Nothing is tidied up: what a publish leaves behind at any moment is sound (SPEC R20 to R27), so
/// ending at once is as safe as a power cut, and quicker.
final class InterruptionNotice: Sendable {
  private enum Stage {
    /// The input, or about to.
    case reading
    case published(Int, total: Int)

    /// Spelled only when it is said: a stage follows each day.
    var sentence: String {
      switch self {
      case .reading: return "interrupted while reading; nothing was published"
      case .published(let count, let total):
        let done = count == 0 ? "before the first" : "after \(count.grouped)"
        return
          "interrupted \(done) of \(total.grouped) days; run the same command again: it goes on "
          + "from there, and nothing is stored twice"
      }
    }
  }

  private let stage = Mutex(Stage.reading)

  /// Says from now on how many of the days were published, and that running it again is safe.
  func sayPublished(_ count: Int, of total: Int) {
    stage.withLock { $0 = .published(count, total: total) }
  }

  /// Listens for Ctrl-C until the program ends, unless whoever started it has that ignored.
  func listen() {
    EndSignals.listen(for: [SIGINT], unlessIgnored: [SIGINT]) { [self] number, isFirst in
      // Only the first Ctrl-C is answered, however often it is pressed.
      guard isFirst else { return }
      let stage = stage.withLock { $0 }
      if Terminal.standardError().isTerminal { StandardStreams.overwrite("") }
      StandardStreams.note("s3health: \(stage.sentence)")
      endBySignal(number)
    }
  }
}
