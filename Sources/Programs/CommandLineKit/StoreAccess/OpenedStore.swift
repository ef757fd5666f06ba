package import AWSCredentials
import Foundation
import HTTPClient
package import HealthLedger
import Logging
package import ObjectStore
package import S3Store

#if PHONE
  import URLSessionTransport
#else
  import CurlTransport
#endif

/// A store for a program: the ledger, and the bucket if there is one.
package struct OpenedStore: Sendable {
  package private(set) var ledger: HealthLedger
  /// The store's name for people; contains no secret.
  package private(set) var name: String
  package let backing: Backing
  /// Where tasks that mostly wait for the store run best; nil if any thread is as good.
  private let executor: (any TaskExecutor)?

  /// What stores the ledger's objects.
  package enum Backing: Sendable {
    case directory(DirectoryStore, path: String)
    case s3(S3Store, DefaultCredentials)
  }

  /// Why a store is opened.
  package enum Purpose: Sendable {
    /// The cache may answer reads (R39).
    case reading
    /// Every read goes to the store.
    case writing
  }

  /// Opens the store that the settings name. An S3 store is not contacted yet.
  ///
  /// - Parameter tune: changes options of an S3 store that are not in its configuration.
  package init(
    _ settings: StoreSettings, for purpose: Purpose = .reading,
    tune: (inout S3Store.Options) -> Void = { _ in }
  ) throws(LedgerError) {
    switch settings.location {
    case .directory(let path):
      try self.init(directory: path, settings, purpose)
    case .s3(let url):
      try self.init(s3: url, settings, purpose, tune)
    }
  }

  package init(_ settings: Settings, for purpose: Purpose = .reading) throws(LedgerError) {
    try self.init(settings.store, for: purpose)
  }

  /// The store of one of its people (R64), by the same connections.
  package func person(_ id: PersonID) throws(LedgerError) -> OpenedStore {
    var opened = self
    opened.ledger = HealthLedger(
      store: ledger.store, layout: try ledger.layout.person(id), environment: .system)
    opened.ledger.cache = ledger.cache
    opened.name += (name.hasSuffix("/") ? "" : "/") + "people/\(id)"
    return opened
  }

  package var backend: Backend {
    switch backing {
    case .s3: .s3ObjectStore
    case .directory(let store, _): store.isInCloudDrive ? .icloudDrive : .folder
    }
  }

  /// Whether each request has its price: the store is a bucket at AWS itself.
  package var hasPricedRequests: Bool {
    switch backing {
    case .s3(let store, _): store.configuration.endpoint == nil
    case .directory: false
    }
  }

  /// Why days are published without their pointer (R24), and what to do about it; nil if no reason
  /// is known.
  package var whyNoPointer: LedgerError.Detail? {
    switch backing {
    case .directory:
      return .init(
        "file locks do not work on this file system", remedy: "keep the store on a local disk")
    case .s3(let store, _):
      guard let verdict = store.knownVerdict, let remedy = verdict.remedy else { return nil }
      guard case .denied(let error) = verdict else {
        return .init(
          "the bucket's conditional writes were found to be: \(verdict)", remedy: .store(remedy))
      }
      let place = error.key.map { " (\($0))" } ?? ""
      return .init(
        "these credentials are not allowed to probe the bucket's conditional writes\(place)",
        remedy: .store(remedy))
    }
  }

  /// Runs work that mostly waits for the store.
  package func run<Output>(
    _ work: (HealthLedger) async throws(LedgerError) -> Output
  ) async throws(LedgerError) -> Output {
    let result = await Result.of { () async throws(LedgerError) in
      try await withTaskExecutorPreference(executor) { () async throws(LedgerError) in
        try await work(ledger)
      }
    }
    await ledger.cache?.finish()
    return try result.get()
  }

  /// Refuses a folder that is one person's of another store (R64): the locks of both would be different
  /// ones, so that two writers could both believe that they are alone.
  private static func checkIsWhole(_ path: String) throws(LedgerError) {
    let folder = URL(filePath: path).standardizedFileURL
    let people = folder.deletingLastPathComponent()
    let whole = people.deletingLastPathComponent()
    guard people.lastPathComponent == "people", let person = PersonID(folder.lastPathComponent),
      FileManager.default.fileExists(atPath: whole.appending(path: ".s3health").path)
    else { return }
    throw LedgerError(
      .invalidArguments, "\(path) is the folder of one person in the store \(whole.path)",
      rule: "R64",
      remedy: .text("use --store \(whole.path) --person \(person)"))
  }

  private init(
    directory path: String, _ settings: StoreSettings, _ purpose: Purpose
  ) throws(LedgerError) {
    let store: DirectoryStore
    do {
      // Only the default folder is created without being asked for. Another one may be a disk that
      // is not mounted.
      let isDefault = path == settings.directories.usualStore
      store = try DirectoryStore(path: path, createsRoot: isDefault)
      // Check this before creating anything in a user's folders that the user could not read.
      if purpose == .writing { try store.checkOwner() }
    } catch {
      throw LedgerError(error)
    }
    if purpose == .writing { try Self.checkIsWhole(path) }
    ledger = HealthLedger(store: store, layout: try settings.layout(below: ""))
    name = settings.personID.map { "\(path)/people/\($0)" } ?? path
    backing = .directory(store, path: path)
    executor = nil
  }

  private init(
    s3 url: String, _ settings: StoreSettings, _ purpose: Purpose,
    _ tune: (inout S3Store.Options) -> Void
  ) throws(LedgerError) {
    let (configuration, environment) = try Self.configuration(url, settings)
    let layout = try settings.layout(below: configuration.prefix)
    let (transport, executor) = Self.transport(configuration.caBundle)
    let credentials = DefaultCredentials(environment: environment, configuration: configuration)
    var options = S3Store.Options()
    options.cacheFolder = URL(filePath: settings.directories.cache)
    options.probePrefix = layout.probePrefix
    options.pace.tell = StandardStreams.tellWait
    tune(&options)
    let store = S3Store(
      configuration, credentials: credentials, transport: transport, options: options)
    let prefix =
      settings.personID == nil ? configuration.prefix : String(layout.prefix.dropLast())
    name = "s3://\(configuration.bucket)/\(prefix)"
    backing = .s3(store, credentials)
    self.executor = executor
    var ledger = HealthLedger(store: store, layout: layout)
    if purpose == .reading { ledger.cache = Self.cache(settings, configuration) }
    self.ledger = ledger
  }

  /// What sends the requests, and where tasks that wait for it run best.
  private static func transport(
    _ caBundle: String?
  ) -> (any HTTPTransport, (any TaskExecutor)?) {
    var http = TransportConfiguration()
    (http.caBundle, http.userAgent) = (caBundle, Program.userAgent)
    #if PHONE
      return (URLSessionTransport(http), nil)
    #else
      let transport = CurlTransport(http)
      return (transport, transport.executor)
    #endif
  }

  /// The configuration of a bucket from the settings and from AWS's own variables and files.
  private static func configuration(
    _ url: String, _ settings: StoreSettings
  ) throws(LedgerError) -> (S3Configuration, AWSEnvironment) {
    let configuration: S3Configuration
    let environment: AWSEnvironment
    do throws(StoreError) {
      environment = try AWSEnvironment.read(
        variables: settings.environment, homeDirectory: settings.directories.home)
      configuration = try S3Configuration.resolve(
        url: url, settings: settings.s3Settings, environment: environment)
    } catch {
      throw LedgerError(
        .invalidArguments, error.message, remedy: error.remedy.map { .store($0) })
    }
    // Check this before anything is sent. Otherwise the TLS error would blame the server's
    // certificate.
    if configuration.effectiveEndpoint.scheme == .https, let path = configuration.caBundle {
      guard let text = try? SmallFile.read(path, maximumBytes: 16 << 20) else {
        throw LedgerError(
          .invalidArguments, "the file of trusted authorities \(path) can't be read",
          remedy: "check --ca-bundle, AWS_CA_BUNDLE and ca_bundle: each takes a PEM file")
      }
      guard String(decoding: text, as: UTF8.self).firstRange(of: "-----BEGIN ") != nil else {
        throw LedgerError(
          .invalidArguments, "the file of trusted authorities \(path) holds no certificate in PEM",
          remedy: "check --ca-bundle, AWS_CA_BUNDLE and ca_bundle: each takes a PEM file")
      }
    }
    return (configuration, environment)
  }

  /// The cache of a bucket's objects. A folder needs none, because its objects already are files of
  /// this machine.
  private static func cache(
    _ settings: StoreSettings, _ configuration: S3Configuration
  ) -> FolderCache? {
    guard settings.cacheSize > 0 else { return nil }
    let log = Logger(label: "s3health.cache")
    return FolderCache(
      path: settings.cacheFolder,
      store: "\(configuration.effectiveEndpoint)\n\(configuration.bucket)",
      limit: settings.cacheSize,
      report: { log.warning("the cache is not used: \($0)") })
  }
}

extension StoreSettings {
  /// The layout of the person's store, or of the store itself.
  fileprivate func layout(below prefix: String) throws(LedgerError) -> LedgerLayout {
    let shared = try LedgerLayout(prefix: prefix)
    return if let personID { try shared.person(personID) } else { shared }
  }
}
