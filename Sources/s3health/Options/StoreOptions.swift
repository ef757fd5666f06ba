import ArgumentParser
import S3Store

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

  @Option(help: .init("Region to sign for.", valueName: "name"))
  var region: String?

  @Option(help: .init("Profile of ~/.aws/config and ~/.aws/credentials.", valueName: "name"))
  var profile: String?

  @Option(
    help: .init("PEM file of the authorities to trust.", valueName: "file"), completion: .file())
  var caBundle: String?

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
  var cacheSize: ByteSizeArgument?

  @Flag(help: "Read everything from the store, and keep no copies.")
  var noCache = false

  @Flag(help: "Let health data leave this machine over plain http.")
  var allowPlaintext = false

  @Flag(name: .shortAndLong, help: "Log requests to stderr.")
  var verbose = false

  @Flag(name: .shortAndLong, help: "Say nothing on stderr but errors.")
  var quiet = false

  @Flag(help: "Show no progress on a terminal.")
  var noProgress = false

  func validate() throws {
    if noCache, cacheSize != nil {
      throw ValidationError("--no-cache and --cache-size exclude each other")
    }
    if quiet, verbose { throw ValidationError("--quiet and --verbose exclude each other") }
  }
}

extension S3Configuration.AddressingStyle: ExpressibleByArgument {}

extension Diagnostics {
  /// Begins logging as the options ask for.
  static func start(_ options: StoreOptions) {
    start(
      isQuiet: options.quiet, isVerbose: options.verbose, showsProgress: !options.noProgress)
  }
}

extension StoreOptions {
  /// The same with one endpoint, or with that of the settings.
  func at(_ endpoint: String?) -> StoreOptions {
    var options = self
    options.endpointUrl = endpoint.map { [$0] } ?? []
    return options
  }

  /// The command line that says the same, but for endpoints; holds no secret.
  var arguments: [String] {
    var arguments: [String] = []
    func add(_ flag: String, _ value: String?) {
      if let value { arguments += ["--\(flag)", value] }
    }
    add("store", store)
    add("config", config)
    add("region", region)
    add("profile", profile)
    add("ca-bundle", caBundle)
    add("addressing-style", addressingStyle?.rawValue)
    add("sse", sse)
    add("sse-kms-key-id", sseKmsKeyId)
    add("timeout", timeout.map(String.init))
    add("max-attempts", maxAttempts.map(String.init))
    if allowPlaintext { arguments.append("--allow-plaintext") }
    if verbose { arguments.append("--verbose") }
    if quiet { arguments.append("--quiet") }
    return arguments
  }
}
