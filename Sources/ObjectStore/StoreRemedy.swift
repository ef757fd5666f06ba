extension StoreError {
  /// What to do about a store's failure, in the terms of stores: which setting, which limit.
  ///
  /// A store knows no command line, so it names no flag and no command. Each front end words the
  /// cases for its readers in an exhaustive `switch`, so that a new case does not compile until
  /// somebody has worded it. The type lives here because this is the lowest module whose errors
  /// need it: folders and buckets throw `StoreError`, and the ledger passes it on in
  /// `LedgerError.Remedy.store`.
  public enum Remedy: Hashable, Sendable {
    /// Plain words that hold in every front end; also what a string literal becomes.
    case text(String)
    /// Several things to do, in this order.
    case all([Remedy])
    /// The same request may succeed at once.
    case retry
    /// The same request may succeed after a while.
    case retryLater
    /// The store answers, and slowly.
    case allowMoreTime
    /// Find out what this store can do.
    case diagnose
    /// This process, or this user, has run out of something.
    case raiseLimit(of: Limit)
    /// The folder belongs to another user, who could not read what this one writes.
    case runAs(user: String)
    /// This machine's clock is wrong.
    case setClock
    /// Use https, or say that the network can be trusted without it.
    case encryptTransport
    /// Trust the certificate authority that signed for the server.
    case trustAuthority
    /// Log in with a tool that can, and let it print the credentials of the profile.
    case exportCredentials(profile: String)

    /// The endpoint's address may be wrong.
    case checkEndpoint
    /// The endpoint's address may be wrong, or the network down. Where the bucket's name is part of
    /// the host name, that may be what has no address.
    case checkEndpointAndNetwork(bucketIsInHostName: Bool)
    /// The server may be down, or the endpoint's address wrong, or the network down.
    case checkServerAndNetwork
    /// The endpoint's address and where the bucket's name goes do not fit this server.
    case checkAddressing
    /// There is no such bucket there.
    case createBucket
    /// The bucket's name can't be one.
    case checkBucketName
    /// Keys become too long, or hold what the store does not take.
    case simplifyPrefix
    /// The bucket is in another region, at this endpoint or at another.
    case chooseRegion(andEndpoint: Bool)
    /// The bucket is elsewhere, and nobody says where.
    case chooseEndpointAndRegion
    /// The store has no keys to encrypt with.
    case leaveOutEncryption
    /// The store refuses a request, most often for how it is to be encrypted.
    case checkEncryption
  }

  /// What the operating system allows only so much of.
  public enum Limit: Hashable, Sendable {
    case openFiles
    case processes
  }
}

extension StoreError.Remedy: ExpressibleByStringInterpolation {
  /// Plain words as they stand.
  public init(stringLiteral words: String) { self = .text(words) }
}

extension StoreError.Remedy: CustomStringConvertible {
  /// Plain words, as imperative clauses, for programs that word remedies no better.
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
