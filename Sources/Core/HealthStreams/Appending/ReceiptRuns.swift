package import HealthModel
import Synchronization

/// Names the runs in which raw data is stored, by which it can be undone: what one device sends together is
/// of one run, because nobody wants to undo the hundred batches of one upload one by one (R46).
package final class ReceiptRuns: Sendable {
  /// A run ends after so many seconds of silence: longer than a sender takes between two batches of one
  /// upload.
  package static let pause = 30
  /// And so many seconds after it began, however often the device sends: a day is not undone for one of
  /// its hours.
  package static let longest = 900

  private typealias Open = (run: RunID, began: Timestamp, last: Timestamp)

  /// By device.
  private let open = Mutex<[String: Open]>([:])

  package init() {}

  package func run(of deviceID: String, at moment: Timestamp) -> RunID {
    open.withLock { open in
      var own: Open = (RunID(at: moment), moment, moment)
      if let known = open[deviceID], Self.goesOn(known, at: moment) {
        own = (known.run, known.began, max(known.last, moment))
      }
      // Whoever sends later begins a new one anyway.
      open = open.filter { Self.goesOn($0.value, at: moment) }
      open[deviceID] = own
      return own.run
    }
  }

  /// Receipts arrive almost in their order: an earlier one is of the run, too.
  private static func goesOn(_ run: Open, at moment: Timestamp) -> Bool {
    let (sinceBegin, sinceLast) = (
      abs(moment.secondsSince1970 - run.began.secondsSince1970),
      abs(moment.secondsSince1970 - run.last.secondsSince1970)
    )
    return sinceLast <= pause && sinceBegin <= longest
  }
}
