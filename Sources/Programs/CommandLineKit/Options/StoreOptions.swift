package import ArgumentParser
import Digests
import Gzip
package import HealthLedger
package import HealthStreams

/// Which store to use and how; the same for every command.
package struct StoreOptions: ParsableArguments {
  package init() {}

  @Option(
    help: .init(
      "The store: s3://bucket/prefix, icloud:container, file:///path or a path.",
      discussion:
        "Default: S3HEALTH_STORE, then the configuration file, then a folder in your home.",
      valueName: "store"), completion: .directory)
  package var store: String?

  @OptionGroup package var whose: PersonOption

  @Option(help: .init("Configuration file to read.", valueName: "file"), completion: .file())
  package var config: String?

  @Option(
    help: .init(
      "S3 endpoint, such as https://minio.home:9000. Only s3race takes several.", valueName: "url"))
  package var endpointUrl: [String] = []

  @OptionGroup package var bucket: BucketOptions

  @Option(help: .init("Time limit of one request in seconds.", valueName: "seconds"))
  package var timeout: Int?

  @Flag(help: "Read everything from the store, without the cache.")
  package var noCache = false

  @Flag(help: "Allow health data to leave this machine over plain http.")
  package var allowPlaintext = false

  @OptionGroup package var speech: SpeechOptions

  @Flag(help: "Show no progress on a terminal.")
  package var noProgress = false
}

/// `--person`: whose days, in a store of many people (R64).
package struct PersonOption: ParsableArguments {
  package init() {}

  @Option(
    help: .init(
      "The person of a store that many share.",
      discussion: "Default: S3HEALTH_PERSON, then the configuration file, then nobody.",
      valueName: "id"))
  package var person: String?
}

/// The bucket's settings that `init` also writes to the file.
package struct BucketOptions: ParsableArguments {
  package init() {}

  @Option(help: .init("The bucket's region.", valueName: "name"))
  package var region: String?

  @Option(help: .init("Profile of ~/.aws/config and ~/.aws/credentials.", valueName: "name"))
  package var profile: String?

  @Option(
    help: .init("PEM file of the certificate authorities to trust.", valueName: "file"),
    completion: .file())
  package var caBundle: String?
}

/// How much to print on stderr.
package struct SpeechOptions: ParsableArguments {
  package init() {}

  @Flag(name: .shortAndLong, help: "Log requests to stderr.")
  package var verbose = false

  @Flag(
    name: .shortAndLong,
    help: .init(
      "Print only errors to stderr.",
      discussion: "collect, push, status, sync and verify print no results, either, if all is well."
    ))
  package var quiet = false

  package func validate() throws {
    if quiet, verbose { throw ValidationError("--quiet and --verbose can't be used together") }
  }
}

extension Diagnostics {
  /// Starts logging as the options request.
  package static func start(_ options: StoreOptions) {
    start(
      isQuiet: options.speech.quiet, isVerbose: options.speech.verbose,
      showsProgress: !options.noProgress)
  }
}

extension StoreOptions {
  /// The given settings of the store, each with its option's name; without the endpoint, because
  /// `s3race` takes several.
  package var given: GivenSettings {
    var given = GivenSettings()
    given.take(.store, store)
    given.take(.person, whose.person)
    given.take(.config, config)
    given.take(.region, bucket.region)
    given.take(.profile, bucket.profile)
    given.take(.caBundle, bucket.caBundle)
    given.take(.allowPlaintext, allowPlaintext ? "true" : nil)
    given.take(.timeout, timeout.map(String.init))
    given.take(.cacheSize, noCache ? "0" : nil)
    return given
  }

  /// The single endpoint that most commands accept.
  package var endpoint: String? {
    get throws(LedgerError) {
      guard endpointUrl.count <= 1 else {
        throw LedgerError(
          .invalidArguments, "--endpoint-url was given \(endpointUrl.count) times",
          remedy: "give it once; only `s3race` takes several")
      }
      return endpointUrl.first
    }
  }
}

extension OpenedStore {
  /// The streams of raw data in the store (R43), packed with zlib.
  package var streams: StreamStore {
    get throws(LedgerError) { try streams(ZlibCompression()) }
  }

  /// The same, packed in some other way.
  package func streams(_ compression: any BatchCompression) throws(LedgerError) -> StreamStore {
    guard let layout = StreamLayout(prefix: ledger.layout.prefix) else {
      throw LedgerError(
        .invalidArguments, "the store's prefix is too long for the keys of streams", rule: "R17",
        remedy: "use a shorter prefix")
    }
    return StreamStore(
      store: ledger.store, layout: layout, compression: compression, digest: SHA256.hex)
  }
}
