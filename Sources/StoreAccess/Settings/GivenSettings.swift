package import HealthLedger

/// A value, and who gave it: a front end's own word, such as the name of a flag, a variable or a file.
package struct Given<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  package let value: Value
  package let origin: String

  package init(_ value: Value, by origin: String) { (self.value, self.origin) = (value, origin) }
}

/// What a front end was given about the store, nil where it was given nothing; holds no secret.
///
/// It comes before variables and the configuration file. It can be handed to another process.
package struct GivenSettings: Codable, Hashable, Sendable {
  /// `s3://bucket/prefix`, `file:///path`, a path and so on.
  package var store: Given<String>?
  /// The configuration file's path.
  package var configuration: Given<String>?
  /// The zone that decides which day a moment is of.
  package var timeZone: Given<String>?
  package var endpoint: Given<String>?
  package var region: Given<String>?
  package var profile: Given<String>?
  package var caBundle: Given<String>?
  package var addressingStyle: Given<String>?
  package var encryption: Given<String>?
  package var encryptionKey: Given<String>?
  /// Lets plain http leave this machine.
  package var allowsPlaintext: Given<Bool>?
  /// Seconds for one request.
  package var timeout: Given<Int>?
  /// Sends of one request.
  package var attempts: Given<Int>?
  /// Bytes for copies of what was read; 0 for none.
  package var cacheSize: Given<Int>?

  package init() {}
}

/// Why the settings lead to no store.
package struct SettingsError: Error, Hashable, Sendable {
  /// What to do, where a front end has words of its own for it.
  package enum Advice: Hashable, Sendable {
    /// The configuration file was named, and is not there.
    case checkConfigurationPath
    /// The configuration file that was named can't be one.
    case nameAnotherConfiguration
    /// Encryption and its key do not belong together.
    case chooseEncryption
    /// The store's name is of no kind that there is.
    case chooseKindOfStore
    /// The file of trusted authorities can't be read.
    case checkAuthorities
  }

  /// What failed; with what to do, where that is the same for every front end.
  package var failure: LedgerError
  package var advice: Advice?

  package init(_ failure: LedgerError, advice: Advice? = nil) {
    (self.failure, self.advice) = (failure, advice)
  }

  /// Settings that can't be used.
  init(_ message: String, remedy: LedgerError.Remedy) {
    self.init(LedgerError(.invalidArguments, message, remedy: remedy))
  }

  /// The same, where each front end says itself what to do.
  init(_ message: String, advice: Advice) {
    self.init(LedgerError(.invalidArguments, message), advice: advice)
  }
}
