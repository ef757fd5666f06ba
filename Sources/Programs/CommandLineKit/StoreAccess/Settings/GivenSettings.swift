import HealthLedger

/// A value and its origin in a front end's words, such as the name of an option, a variable or a
/// file.
package struct Sourced<Value: Sendable>: Sendable {
  package let value: Value
  package let origin: String

  package init(_ value: Value, by origin: String) { (self.value, self.origin) = (value, origin) }
}

// Not demanded of every value: the runtime would look each of them up before a command can read its
// first setting.
extension Sourced: Equatable where Value: Equatable {}
extension Sourced: Hashable where Value: Hashable {}
extension Sourced: Encodable where Value: Encodable {}
extension Sourced: Decodable where Value: Decodable {}

/// The settings of a store that a front end was given, nil where it was given none. Contains no
/// secret.
///
/// They override variables and the configuration file. They can be passed to another process.
package struct GivenSettings: Codable, Hashable, Sendable {
  /// `s3://bucket/prefix`, `file:///path`, a path and so on.
  package var store: Sourced<String>?
  /// The id of a person of the store (R64).
  package var person: Sourced<String>?
  /// Whether all people of the store are meant, whoever is configured.
  package var meansAllPeople = false
  /// The configuration file's path.
  package var configuration: Sourced<String>?
  /// The time zone that determines the date of a moment.
  package var timeZone: Sourced<String>?
  package var endpoint: Sourced<String>?
  package var region: Sourced<String>?
  package var profile: Sourced<String>?
  package var caBundle: Sourced<String>?
  /// Whether requests may leave this machine over plain http.
  package var allowsPlaintext: Sourced<Bool>?
  /// Time limit of one request in seconds.
  package var timeout: Sourced<Int>?
  /// Size of the cache in bytes; 0 turns it off.
  package var cacheSize: Sourced<Int>?

  package init() {}
}
