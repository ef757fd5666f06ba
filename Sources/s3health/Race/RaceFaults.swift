import FaultProxy
import HealthLedger
import RaceHarness

/// The faults of a race: from a proxy in front of each endpoint, or inside the processes where the
/// store is a folder.
struct RaceFaults {
  /// What `--faults` says, in the proxy's grammar, or what is usual where it says nothing.
  let option: FaultsOption
  /// True where the names stand for all that a sound store must bear, and not each for itself.
  private let isGeneral: Bool

  /// All but `strip`, which makes a sound store break its promises.
  private static let usual = """
    drop,lose,reset,truncate,stall,replace,replace-after,duplicate,resend,delay,slow:3%
    """

  init(_ text: String?) throws(LedgerError) {
    do {
      option = try FaultsOption(parsing: text ?? Self.usual)
    } catch {
      throw LedgerError(
        .invalidArguments, "--faults: \(error)",
        remedy: "write none, all:5%, or names such as drop,lose,409:2%; docs/RACE.md has them")
    }
    let names = text?.split(separator: ":").first ?? "all"
    isGeneral = names == "all"
  }

  /// What a folder's processes do themselves: those of the faults that a file system can have.
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
          .internal, "no fault proxy can stand before \(endpoint): \(error)",
          remedy: "race with --faults none")
      }
    }
    return proxies
  }
}
