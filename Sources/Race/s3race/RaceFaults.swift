import FaultProxy
import HealthLedger
import Race

/// The faults of a race: from a proxy in front of each endpoint, or, if the store is a folder,
/// inside the processes.
struct RaceFaults {
  /// The value of `--faults` in the proxy's syntax, or the default.
  let option: FaultsOption
  /// True if the names stand for all faults that a sound store must survive, and not for single
  /// ones.
  private let isGeneral: Bool

  /// All except `strip`, which makes a sound store break its promises.
  private static let usual = """
    drop,lose,reset,truncate,stall,replace,replace-after,duplicate,resend,delay,slow:3%
    """

  init(_ text: String?) throws(LedgerError) {
    do {
      option = try FaultsOption(parsing: text ?? Self.usual)
    } catch {
      throw LedgerError(
        .invalidArguments, "--faults: \(error)",
        remedy: "write none, all:5%, or names such as drop,lose,409:2%; docs/RACE.md lists them")
    }
    let names = text?.split(separator: ":").first ?? "all"
    isGeneral = names == "all"
  }

  /// The faults that the processes inject themselves for a folder: those that a file system can
  /// have.
  var onFolder: LiveFaults {
    get throws(LedgerError) {
      var kinds: [LiveFaults.Kind] = []
      for chance in option.chances {
        let kind = LiveFaults.Kind(rawValue: chance.fault.rawValue)
        if isGeneral, kind == nil || kind == .stripped { continue }
        guard let kind, chance.budget == nil else {
          throw LedgerError(
            .invalidArguments,
            "a folder has no fault \"\(chance.fault.rawValue)\" of this kind",
            remedy: """
              use \(LiveFaults.Kind.allCases.map(\.rawValue).joined(separator: ", ")), without \
              a bound
              """)
        }
        kinds.append(kind)
      }
      let perMillion = option.chances.reduce(0) { $0 + $1.perMillion }
      return LiveFaults(kinds, perMille: perMillion == 0 ? 0 : max(1, perMillion / 1000))
    }
  }

  /// A proxy in front of each endpoint.
  func proxies(
    to endpoints: [String], seed: UInt64, caBundle: String?
  ) throws(LedgerError) -> [FaultProxy] {
    guard !option.chances.isEmpty else { return [] }
    var proxies: [FaultProxy] = []
    for (number, endpoint) in endpoints.enumerated() {
      do {
        let plan = ProxyPlan(chances: option.chances, seed: seed &+ UInt64(number))
        proxies.append(try FaultProxy(to: endpoint, caBundle: caBundle, plan: plan))
      } catch {
        throw LedgerError(
          .internal, "the fault proxy for \(endpoint) can't be started: \(error)",
          remedy: "race with --faults none")
      }
    }
    return proxies
  }
}
