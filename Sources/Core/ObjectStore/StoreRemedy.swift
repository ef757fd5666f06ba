extension StoreError {
  /// What to do about a store's failure, in terms of stores: which setting, which limit.
  ///
  /// A store does not know about command lines, so it names no option and no command. Each front
  /// end words the cases for its users in an exhaustive `switch`, so that a new case does not
  /// compile until it has been worded. The type is in this module because this is the lowest one
  /// whose errors need it: folders and buckets throw `StoreError`, and the ledger passes the remedy
  /// on in `LedgerError.Remedy.store`.
  public enum Remedy: Hashable, Sendable {
    /// Plain words that suit every front end. A string literal becomes this case.
    case text(String)
    /// Several things to do, in this order.
    case all([Remedy])
    /// The same request may succeed immediately.
    case retry
    /// The same request may succeed after a while.
    case retryLater
    /// The store answers, but slowly.
    case allowMoreTime
    /// Find out what this store can do.
    case diagnose
    /// This process or this user has reached a limit of the system.
    case raiseLimit(of: Limit)
    /// The folder belongs to another user, who could not read the files that this user writes.
    case runAs(user: String)
    /// This machine's clock is wrong.
    case setClock
    /// Use https, or allow http explicitly on a trusted network.
    case encryptTransport
    /// Trust the certificate authority that signed the server's certificate.
    case trustAuthority
    /// Sign in with a tool that supports it, and let it print the credentials of the profile.
    case exportCredentials(profile: String)

    /// The endpoint's address may be wrong.
    case checkEndpoint
    /// The endpoint's address may be wrong, or the network may be down. If the bucket's name is
    /// part of the host name, that host name may not exist.
    case checkEndpointAndNetwork(bucketIsInHostName: Bool)
    /// The server or the network may be down, or the endpoint's address may be wrong.
    case checkServerAndNetwork
    /// The endpoint's address and the place of the bucket's name do not suit this server.
    case checkAddressing
    /// The bucket does not exist there.
    case createBucket
    /// The bucket's name is not a valid one.
    case checkBucketName
    /// Keys become too long, or contain what the store does not accept.
    case simplifyPrefix
    /// The bucket is in another region, at this endpoint or at another one.
    case chooseRegion(andEndpoint: Bool)
    /// The bucket is somewhere else, and the server does not say where.
    case chooseEndpointAndRegion
    /// The store has no encryption keys.
    case leaveOutEncryption
    /// The store refuses the request, most often because of its encryption.
    case checkEncryption
  }

  /// A limit of the operating system.
  public enum Limit: Hashable, Sendable {
    /// How many files a process may have open.
    case openFiles
    /// How many processes a user may run.
    case processes
  }
}

extension StoreError.Remedy: ExpressibleByStringInterpolation {
  /// Plain words, unchanged.
  public init(stringLiteral words: String) { self = .text(words) }
}

extension StoreError.Remedy: CustomStringConvertible {
  /// Plain words as imperative clauses, for programs without their own wording.
  public var description: String {
    switch self {
    case .text(let words): words
    case .all(let remedies): remedies.map(\.description).joined(separator: "; ")
    case .retry: "try again"
    case .retryLater: "try again later"
    case .allowMoreTime: "try again, or allow more time"
    case .diagnose: "find out what this store can do"
    case .raiseLimit(of: .openFiles): "raise the limit of open files"
    case .raiseLimit(of: .processes): "raise the limit of processes"
    case .runAs(let user):
      "run it as the user \(user), or share the folder with a group by setgid"
    case .setClock: "set the clock of this machine"
    case .encryptTransport: "use https, or allow plain http on a network that you trust"
    case .trustAuthority:
      "trust the server's certificate authority, and check that the endpoint serves https"
    case .exportCredentials(let profile):
      "let a tool that signs in print the credentials of profile \(profile), and name it as another "
        + "profile's credential_process"
    case .checkEndpoint: "check the endpoint's address"
    case .checkEndpointAndNetwork(bucketIsInHostName: true):
      "check the endpoint's address and the network, or use path addressing"
    case .checkEndpointAndNetwork: "check the endpoint's address and the network"
    case .checkServerAndNetwork:
      "check that the server runs, the endpoint's address, and the network"
    case .checkAddressing: "check the endpoint's address and the addressing style"
    case .createBucket:
      "create it, or check the name, the endpoint's address and the addressing style"
    case .checkBucketName: "check the bucket's name"
    case .simplifyPrefix: "choose a shorter or simpler prefix for the store"
    case .chooseRegion(andEndpoint: true):
      "set the region to the bucket's region, and the endpoint's address to a server there"
    case .chooseRegion: "set the region to the bucket's region"
    case .chooseEndpointAndRegion:
      "set the endpoint's address and the region to where the bucket is"
    case .leaveOutEncryption:
      "do not ask for encryption with a key, or set up key management for the store"
    case .checkEncryption:
      "check the encryption asked for, which many stores give only over https and with keys of "
        + "their own, and the store's name"
    }
  }
}
