/// What shall go wrong with the requests that pass a proxy: a value without a course of its own.
///
/// The same plan gives the same decisions for the same sequence of requests.
package struct ProxyPlan: Hashable, Sendable {
  /// A fault for chosen requests.
  package struct Rule: Hashable, Sendable {
    package var fault: ProxyFault
    /// Nil: any.
    package var operation: ProxiedOperation?
    /// What the decoded or raw path ends in; empty: any.
    package var pathSuffix: String
    /// Which of the requests that match, from 1; nil: all.
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
    /// Of a million requests that it can befall, how many it befalls.
    package var perMillion: Int
    /// Most times; nil for no bound.
    package var budget: Int?

    package init(_ fault: ProxyFault, perMillion: Int, budget: Int? = nil) {
      (self.fault, self.perMillion, self.budget) = (fault, perMillion, budget)
    }
  }

  /// The request with this number, from 1, meets this fault. They come first.
  package var positions: [Int: ProxyFault]
  /// The first rule that strikes wins; each counts its own matches.
  package var rules: [Rule]
  package var chances: [Chance]
  package var seed: UInt64
  /// What `slow` waits at most.
  package var slowest: Duration = .milliseconds(100)
  /// How long after the client has given up, or after the first send, a late send comes at most.
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

  /// Nothing goes wrong.
  package static let none = ProxyPlan()
}
