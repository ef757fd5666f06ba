/// Which faults the requests through a proxy meet: a value without state.
///
/// The same plan makes the same decisions for the same sequence of requests.
package struct ProxyPlan: Hashable, Sendable {
  /// A fault for chosen requests.
  package struct Rule: Hashable, Sendable {
    package var fault: ProxyFault
    /// Nil for any operation.
    package var operation: ProxiedOperation?
    /// The end of the decoded or raw path; empty for any.
    package var pathSuffix: String
    /// Which of the matching requests, from 1; nil for all.
    package var which: Set<Int>?

    package init(
      _ fault: ProxyFault, on operation: ProxiedOperation? = nil, pathSuffix: String = "",
      which: Set<Int>? = [1]
    ) {
      self.fault = fault
      self.operation = operation
      self.pathSuffix = pathSuffix
      self.which = which
    }

    func matches(_ operation: ProxiedOperation, _ path: String) -> Bool {
      (self.operation ?? operation) == operation && path.hasSuffix(pathSuffix)
    }
  }

  /// How often a fault is drawn.
  package struct Chance: Hashable, Sendable {
    package var fault: ProxyFault
    /// Of a million requests for which it can be drawn, how many meet it.
    package var perMillion: Int
    /// The most occurrences; nil for no limit.
    package var budget: Int?

    package init(_ fault: ProxyFault, perMillion: Int, budget: Int? = nil) {
      (self.fault, self.perMillion, self.budget) = (fault, perMillion, budget)
    }
  }

  /// The request with this number, from 1, meets this fault. These take precedence.
  package var positions: [Int: ProxyFault]
  /// The first rule that matches wins. Each rule counts its own matches.
  package var rules: [Rule]
  package var chances: [Chance]
  package var seed: UInt64
  /// The longest wait of `slow`.
  package var slowest: Duration = .milliseconds(100)
  /// The longest time from when the client gives up, or from the first send, to a late send.
  package var latest: Duration = .seconds(2)

  package init(
    positions: [Int: ProxyFault] = [:], rules: [Rule] = [], chances: [Chance] = [],
    seed: UInt64 = 0
  ) {
    self.positions = positions
    self.rules = rules
    self.chances = chances
    self.seed = seed
  }

  /// No faults.
  package static let none = ProxyPlan()
}
