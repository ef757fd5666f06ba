import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams

/// A hub as it is shipped: receipts that run side by side, and one loop that makes days again.
struct HubActor: Hashable {
  var isUp = true
  var queue = DayQueue()
  /// Seconds since the hub began.
  var clock = 0.0
  var receipts: [Receipt] = []
  var loop = Loop.free
  /// The days to look at in the sweep that is due, besides those that markers name; nil if none is.
  var dueSweep: Set<CalendarDate>?
  /// What a flawed hub removes once a day is made that it had given up.
  var keptMarkers: [String] = []
  /// A day whose row a flawed hub writes after the markers are gone.
  var lateRow: Int?

  var isIdle: Bool {
    loop == .free && receipts.isEmpty && dueSweep == nil && lateRow == nil
  }
}

/// What a hub's loop does now. It is kept by reference, because worlds are copied at each step.
indirect enum Loop: Hashable {
  case free
  /// A day of the queue.
  case recompute(Recompute)
  /// Deletes the markers that a recompute has released.
  case release([String])
  case sweep(SweepMachine, SweepMachine.Action)
  case sweepDay(SweepMachine, Recompute)

  /// The day that is being made.
  var recompute: Recompute? {
    switch self {
    case .recompute(let recompute), .sweepDay(_, let recompute): recompute
    case .free, .release, .sweep: nil
    }
  }
}

/// A day that is being made again.
struct Recompute: Hashable {
  enum Action: Hashable {
    case derivation(DerivationMachine.Action)
    case publish(PublishMachine, PublishMachine.Action)
    /// Read the newest revision, for its row.
    case readForRow
    case writeRow(RevisionID)
    /// The last one: the day is settled.
    case removeCover(String)
  }

  let day: Int
  var machine: DerivationMachine
  var action: Action
  /// The batches of the first listing, for a flawed machine that keeps them.
  var firstListing: Set<String>?
  /// Markers of batches that came meanwhile, for a flawed machine that takes them for covered.
  var uncovered: [String] = []

  /// The marker that covers it, if it made one.
  var cover: String?

  init(_ day: Int, isCovered: Bool) {
    self.day = day
    var machine = DerivationMachine(rules: 1, isCovered: isCovered)
    action = .derivation(machine.start())
    self.machine = machine
  }

  /// The write that it is about to send, without knowing its content.
  var isWriting: Bool {
    switch action {
    case .derivation(.createCover), .publish(_, .createRevision), .publish(_, .writePointer),
      .writeRow:
      true
    default: false
    }
  }
}

/// A batch that is being received.
struct Receipt: Hashable {
  let batch: Int
  /// Distinguishes its markers from those of others.
  let number: Int
  var machine: AppendMachine
  var action: AppendMachine.Action
  /// The names of its markers.
  var markers: [String] = []
  /// A marker that a flawed receiver writes after its batch.
  var owesMarker = false
  /// Whether a flawed receiver has acknowledged it already.
  var isAcknowledged = false

  init(_ batch: Int, number: Int) {
    (self.batch, self.number) = (batch, number)
    var machine = AppendMachine(partCount: 1, needsMarker: true)
    action = machine.start()
    self.machine = machine
  }

  var isWriting: Bool {
    switch action {
    case .createMarker, .createPart: true
    default: false
    }
  }
}

/// Somebody else who publishes the same day (`put`).
struct OtherWriter: Hashable {
  var machine: PublishMachine
  var action: PublishMachine.Action
}
