import Foundation

/// What is known of the pushes to one group of one gateway, for `status`.
package struct PushRecord: Hashable, Sendable, Codable {
  package struct Failure: Hashable, Sendable, Codable {
    package var kind: PushFailure.Kind
    package var message: String
    /// Seconds since 1970.
    package var at: Int
  }

  package var gateway: String
  package var job: String
  package var instance: String
  /// The last attempt, whatever came of it; seconds since 1970.
  package var lastAttempt: Int
  package var lastSuccess: Int?
  package var lastFailure: Failure?
  /// Since the last success.
  package var failures = 0
  /// Of the last success: how many samples, and of which families.
  package var samples = 0
  package var families: Set<String> = []

  package init(_ address: GatewayAddress, at now: Int) {
    (gateway, job, instance) = (address.url, address.job, address.instance)
    lastAttempt = now
  }

  /// Whether this is about the group.
  package func isOf(_ address: GatewayAddress) -> Bool {
    gateway == address.url && job == address.job && instance == address.instance
  }

  package mutating func take(
    _ failure: PushFailure?, of values: PushedValues, at now: Int
  ) {
    lastAttempt = now
    if let failure {
      failures += 1
      lastFailure = Failure(kind: failure.kind, message: failure.message, at: now)
      // Without an answer nobody knows whether they were stored.
      if failure.isTransient { families.formUnion(values.names) }
    } else {
      (lastSuccess, failures) = (now, 0)
      (samples, families) = (values.sampleCount, values.names)
    }
  }
}

/// What pushes keep between runs: the records of gateways, and for each store what was read of samples.
package struct PushMemory: Hashable, Sendable, Codable {
  package struct Kept: Hashable, Sendable, Codable {
    /// What the samples of days say; of each day with the revision with which they were read.
    package var details: [PushedDetail]?
    /// The newest gauges, of a phone alone: it has only its last days at hand.
    package var gauges: [String: NewestValues.Gauge]?
    /// Seconds since 1970.
    package var usedAt = 0

    package init() {}
  }

  package private(set) var records: [PushRecord] = []
  package private(set) var stores: [String: Kept] = [:]

  /// The most groups and stores: those that were not used for the longest time are forgotten.
  private static let most = 32
  /// The file's name in the user's private folder, and the most bytes of it that are read.
  package static let fileName = "push.json"
  package static let maximumBytes = 32 << 20

  package init() {}

  /// - Throws: where a member is missing or of another form.
  package init(parsing bytes: [UInt8]) throws {
    self = try JSONDecoder().decode(PushMemory.self, from: Data(bytes))
  }

  package func bytes() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return Array(try encoder.encode(self))
  }

  /// The record of a group, if there was a push.
  package func record(of address: GatewayAddress) -> PushRecord? {
    records.first { $0.isOf(address) }
  }

  package mutating func keep(_ record: PushRecord, of address: GatewayAddress) {
    records.removeAll { $0.isOf(address) }
    records.append(record)
    records.sort { ($0.lastAttempt, $0.gateway) > ($1.lastAttempt, $1.gateway) }
    records.removeLast(max(0, records.count - Self.most))
  }

  package mutating func keep(_ kept: Kept, ofStore name: String) {
    stores[name] = kept
    for (name, _) in stores.sorted(by: { $0.value.usedAt > $1.value.usedAt }).dropFirst(Self.most) {
      stores[name] = nil
    }
  }
}
