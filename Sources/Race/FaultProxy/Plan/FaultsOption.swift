package import StoreTesting

/// The syntax of a plan's random faults on the command line: `none`, or names with a rate.
///
///     FAULTS = none | CLASS[,CLASS...][:RATE]
///     CLASS  = NAME[=MOST]
///
/// NAME is a fault or a group (`all`, `truncate`, `replace`, `replace-after`). MOST limits how
/// often each fault of the class occurs. RATE (`5%`, `0.5%`; default 10%) is the chance that a
/// request meets one of the named faults, divided evenly among them.
package struct FaultsOption: Hashable, Sendable {
  package let chances: [ProxyPlan.Chance]

  /// - Throws: `FaultProxyError`, one clause that names the part that is refused.
  package init(parsing text: String) throws(FaultProxyError) {
    if text == "none" {
      self.init([], perMillion: 0)
      return
    }
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let perMillion = halves.count == 2 ? try Self.perMillion(halves[1]) : 100_000
    var named: [(fault: ProxyFault, budget: Int?)] = []
    for part in halves[0].split(separator: ",", omittingEmptySubsequences: false) {
      for (fault, budget) in try Self.faults(part) {
        guard !named.contains(where: { $0.fault == fault }) else {
          throw FaultProxyError("the fault \(fault.rawValue) is named twice")
        }
        named.append((fault, budget))
      }
    }
    self.init(named, perMillion: perMillion)
  }

  private init(_ named: [(fault: ProxyFault, budget: Int?)], perMillion: Int) {
    chances = named.map {
      .init($0.fault, perMillion: perMillion / named.count, budget: $0.budget)
    }
  }

  private static func faults(
    _ part: Substring
  ) throws(FaultProxyError) -> [(fault: ProxyFault, budget: Int?)] {
    let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(halves[0])
    var budget: Int?
    if halves.count == 2 {
      guard let most = number(halves[1]), most >= 1 else {
        throw FaultProxyError(
          "\"\(shown(part))\": write the maximum number after =, at least 1")
      }
      budget = most
    }
    if let group = ProxyFault.groups.first(where: { $0.name == name }) {
      return group.faults.map { ($0, budget) }
    }
    guard let fault = ProxyFault(rawValue: name), ProxyFault.drawn.contains(fault) else {
      let names = ProxyFault.groups.map(\.name) + ProxyFault.drawn.map(\.rawValue)
      throw FaultProxyError(
        "\"\(shown(part))\" is not a fault; write none, "
          + names.joined(separator: ", "))
    }
    return [(fault, budget)]
  }

  /// `5%` and `0.25%`, from 0.0001% to 100%.
  private static func perMillion(_ text: Substring) throws(FaultProxyError) -> Int {
    let refusal = FaultProxyError(
      "\":\(shown(text))\" is not a rate: write a percentage, such as :5%, up to 100%")
    guard text.last == "%" else { throw refusal }
    let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let whole = number(parts[0]), whole <= 100 else {
      throw refusal
    }
    var value = whole * 10_000
    if parts.count == 2 {
      guard (1...4).contains(parts[1].utf8.count), let fraction = number(parts[1]) else {
        throw refusal
      }
      value += (0..<(4 - parts[1].utf8.count)).reduce(fraction) { value, _ in value * 10 }
    }
    guard (1...1_000_000).contains(value) else { throw refusal }
    return value
  }

  /// A number of up to nine plain digits.
  private static func number(_ text: Substring) -> Int? {
    guard (1...9).contains(text.utf8.count),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text)
  }

  /// Shortened to one line.
  private static func shown(_ text: Substring) -> String {
    String(
      decoding: text.utf8.prefix(40).map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") },
      as: UTF8.self)
  }
}
