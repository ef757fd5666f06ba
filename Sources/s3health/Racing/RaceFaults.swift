import FaultProxy
import HealthLedger
import RaceHarness

/// The faults of a race: from a proxy in front of each endpoint, or inside the processes where the
/// store is a folder.
enum RaceFaults {
  /// Reads `--faults`; the grammar is the proxy's.
  static func parse(_ text: String) throws(LedgerError) -> FaultsOption {
    do {
      return try FaultsOption(parsing: text)
    } catch {
      throw LedgerError(
        .invalidArguments, "--faults: \(error)",
        remedy: "write none, all:5%, or names such as drop,lose,409:2%; docs/RACE.md has them")
    }
  }

  /// What a folder's processes do themselves: those of the faults that a file system can have.
  static func onFolder(_ option: FaultsOption) throws(LedgerError) -> FieldFaults {
    let isAll = option.chances.map(\.fault) == FaultsOption.all.chances.map(\.fault)
    var kinds: [FieldFaults.Kind] = []
    for chance in option.chances {
      guard let kind = FieldFaults.Kind(rawValue: chance.fault.rawValue), chance.budget == nil
      else {
        if isAll { continue }
        throw LedgerError(
          .invalidArguments, "a folder has no fault \"\(chance.fault.rawValue)\" of this kind",
          remedy: "use "
            + FieldFaults.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            + ", without a bound")
      }
      // All that can befall a sound store: what ignores conditions is none.
      if isAll, kind == .stripped { continue }
      kinds.append(kind)
    }
    let perMillion = option.chances.reduce(0) { $0 + $1.perMillion }
    return FieldFaults(kinds, perMille: perMillion == 0 ? 0 : max(1, perMillion / 1000))
  }

  /// A proxy in front of each endpoint.
  static func proxies(
    to endpoints: [String], _ option: FaultsOption, seed: UInt64, caBundle: String?
  ) throws(LedgerError) -> [FaultProxy] {
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
