import ArgumentParser
import HealthLedger
import S3Store
import StoreAccess

/// Which store, and how to talk to it; the same for every command.
struct StoreOptions: ParsableArguments {
  @Option(
    help: .init(
      "Where the ledger lies: s3://bucket/prefix, icloud:container, file:///path or a path.",
      discussion: "Else S3HEALTH_STORE, the configuration file, or a folder of your own.",
      valueName: "store"), completion: .directory)
  var store: String?

  @Option(help: .init("Configuration file to read.", valueName: "file"), completion: .file())
  var config: String?

  @Option(
    help: .init(
      "S3 endpoint, such as https://minio.home:9000; `race` takes several.", valueName: "url"))
  var endpointUrl: [String] = []

  @OptionGroup var bucket: BucketOptions

  @Option(help: "Where the bucket's name goes: auto, path or virtual.")
  var addressingStyle: S3Configuration.AddressingStyle?

  @Option(
    help: .init("Ask for server-side encryption: AES256 or aws:kms.", valueName: "method"),
    completion: .list(["AES256", "aws:kms"]))
  var sse: String?

  @Option(help: .init("Key for --sse aws:kms.", valueName: "id"))
  var sseKmsKeyId: String?

  @Option(help: .init("Seconds that one request may take.", valueName: "seconds"))
  var timeout: Int?

  @Option(help: .init("Sends of one request before giving up.", valueName: "n"))
  var maxAttempts: Int?

  @Option(
    help: .init(
      "Most disk that copies of read revisions take: 64MB unless said; 0 keeps none.",
      valueName: "size"))
  var cacheSize: ByteSize?

  @Flag(help: "Read everything from the store, and keep no copies.")
  var noCache = false

  @Flag(help: "Let health data leave this machine over plain http.")
  var allowPlaintext = false

  @OptionGroup var speech: SpeechOptions

  @Flag(help: "Show no progress on a terminal.")
  var noProgress = false

  func validate() throws {
    if noCache, cacheSize != nil {
      throw ValidationError("--no-cache and --cache-size can't be used together")
    }
  }
}

/// Where a bucket is and who asks: what `init` writes down too.
struct BucketOptions: ParsableArguments {
  @Option(help: .init("Region to sign for.", valueName: "name"))
  var region: String?

  @Option(help: .init("Profile of ~/.aws/config and ~/.aws/credentials.", valueName: "name"))
  var profile: String?

  @Option(
    help: .init("PEM file of the authorities to trust.", valueName: "file"), completion: .file())
  var caBundle: String?
}

/// How much is said on stderr.
struct SpeechOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Log requests to stderr.")
  var verbose = false

  @Flag(name: .shortAndLong, help: "Say nothing on stderr but errors.")
  var quiet = false

  func validate() throws {
    if quiet, verbose { throw ValidationError("--quiet and --verbose can't be used together") }
  }
}

extension S3Configuration.AddressingStyle: ExpressibleByArgument {}

extension Diagnostics {
  /// Begins logging as the options ask for.
  static func start(_ options: StoreOptions) {
    start(
      isQuiet: options.speech.quiet, isVerbose: options.speech.verbose,
      showsProgress: !options.noProgress)
  }
}

extension ByteSize: ExpressibleByArgument {
  /// A size as the command line has it.
  public init?(argument: String) { self.init(argument) }
}

extension StoreOptions {
  /// What was given of the store, each with the flag's name; without the endpoint, of which `race`
  /// takes several.
  var given: GivenSettings {
    var given = GivenSettings()
    given.store = store.map { Given($0, by: "--store") }
    given.configuration = config.map { Given($0, by: "--config") }
    given.region = bucket.region.map { Given($0, by: "--region") }
    given.profile = bucket.profile.map { Given($0, by: "--profile") }
    given.caBundle = bucket.caBundle.map { Given($0, by: "--ca-bundle") }
    given.addressingStyle = addressingStyle.map { Given($0.rawValue, by: "--addressing-style") }
    given.encryption = sse.map { Given($0, by: "--sse") }
    given.encryptionKey = sseKmsKeyId.map { Given($0, by: "--sse-kms-key-id") }
    given.allowsPlaintext = allowPlaintext ? Given(true, by: "--allow-plaintext") : nil
    given.timeout = timeout.map { Given($0, by: "--timeout") }
    given.attempts = maxAttempts.map { Given($0, by: "--max-attempts") }
    given.cacheSize =
      noCache ? Given(0, by: "--no-cache") : cacheSize.map { Given($0.bytes, by: "--cache-size") }
    return given
  }

  /// The one endpoint that most commands take.
  var endpoint: String? {
    get throws(LedgerError) {
      guard endpointUrl.count <= 1 else {
        throw LedgerError(
          .invalidArguments, "--endpoint-url was given \(endpointUrl.count) times",
          remedy: "give it once; only `s3health race` spreads over several")
      }
      return endpointUrl.first
    }
  }
}
