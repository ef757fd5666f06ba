package import HealthModel
import Synchronization

/// Names the runs in which raw data is stored, by which it can be undone: what comes in together is of one
/// run, because nobody wants to undo the hundred batches of one upload one by one (R46).
package final class ReceiptRuns: Sendable {
  /// What is received so many seconds after what came before it belongs to the same run: longer than a
  /// sender takes between two batches of one upload.
  package static let pause = 30

  private let last = Mutex<(run: RunID, at: Timestamp)?>(nil)

  package init() {}

  package func run(at moment: Timestamp) -> RunID {
    last.withLock { last in
      var run = RunID(at: moment)
      if let last, abs(moment.secondsSince1970 - last.at.secondsSince1970) <= Self.pause {
        run = last.run
      }
      last = (run, moment)
      return run
    }
  }
}
