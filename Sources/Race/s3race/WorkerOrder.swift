import CommandLineKit
import Foundation
import HealthLedger
import Race
import S3Store

/// The orders of a race for one of its processes, passed on stdin, where process lists do not show
/// them.
struct WorkerOrder: Codable {
  /// The given settings of the store. Contains no secret.
  var settings: GivenSettings
  var isVerbose: Bool
  var isQuiet: Bool
  var field: LiveOrder
  var clock: MonotonicClock
  /// The file to which its journal is appended.
  var journal: String
  /// The id of its parent process. When the parent has ended, the process ends.
  var parent: Int32
  /// The endpoint of its store, if it is not that of the settings. It may be a proxy.
  var endpoint: String?
  /// The endpoints at which observers read the raw pointer.
  var direct: [String?] = []
  /// The verdict on the bucket's conditional writes, so that no process probes again.
  var verdict: Verdict?

  enum Verdict: String, Codable {
    case quoted, bare, createOnly, plain, unsafe

    init(_ verdict: ProbeVerdict) {
      self =
        switch verdict {
        case .compareAndSwap(.quoted): .quoted
        case .compareAndSwap(.bare): .bare
        case .createOnly: .createOnly
        case .refuses: .plain
        case .ignores, .lags, .racy, .denied, .unmet, .crowded, .unknown: .unsafe
        }
    }

    var probeVerdict: ProbeVerdict {
      switch self {
      case .quoted: .compareAndSwap(.quoted)
      case .bare: .compareAndSwap(.bare)
      case .createOnly: .createOnly
      case .plain: .refuses
      case .unsafe: .ignores
      }
    }
  }

  func encoded() throws(LedgerError) -> [UInt8] {
    do {
      return [UInt8](try JSONEncoder().encode(self))
    } catch {
      throw LedgerError(.internal, "an order can't be written: \(error)")
    }
  }

  init(decoding bytes: [UInt8]) throws(LedgerError) {
    do {
      self = try JSONDecoder().decode(WorkerOrder.self, from: Data(bytes))
    } catch {
      throw LedgerError(
        .invalidArguments, "stdin has no orders of a race",
        remedy: "run `s3race`, which starts its processes itself")
    }
  }

  init(_ site: RaceSite, _ field: LiveOrder, _ clock: MonotonicClock, journal: String) {
    (settings, isVerbose, isQuiet) = (site.settings, site.isVerbose, site.isQuiet)
    (self.field, self.clock, self.journal) = (field, clock, journal)
    verdict = site.verdict
    parent = getpid()
  }
}

extension StoreSettings {
  /// The store of a race at one of its endpoints; nil for that of the settings.
  convenience init(_ given: GivenSettings, at endpoint: String?) throws(LedgerError) {
    var given = given
    given.take(.endpointURL, endpoint)
    try self.init(given, environment: ProcessInfo.processInfo.environment)
  }
}

/// The clock that all processes of a race on one machine share.
struct MonotonicClock: Codable, Hashable, Sendable {
  /// When the race began, in nanoseconds since the machine started, so that times are small
  /// numbers.
  private let origin: Int

  init() { origin = Self.machine }

  /// Nanoseconds since the race began.
  var now: Int { Self.machine - origin }

  private static var machine: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }
}
