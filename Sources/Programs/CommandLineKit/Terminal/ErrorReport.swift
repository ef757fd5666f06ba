package import HealthLedger
package import HealthModel
package import ObjectStore

extension LedgerError {
  /// For people: what failed, for which object, by which rule, and what to do next. Names of files
  /// and keys are escaped, so that they can't add lines.
  package var report: String {
    var lines = ["\(Program.name): \(message.printable)"]
    lines += details.map { "  \($0.words.printable)" }
    if let key { lines.append("  object: \(key.printable)") }
    if let rule { lines.append("  rule:   \(rule) (s3health help \(rule) prints it)") }
    if let remedy { lines.append("  do:     \(remedy.words.printable)") }
    return lines.joined(separator: "\n")
  }

  /// `code`, `message`, `retryable`, and `key`, `rule` and `remedy` if they are known.
  package var document: JSONValue {
    var members: [String: JSONValue] = [
      "code": .string(code.rawValue),
      "message": .string(([message] + details.map(\.words)).joined(separator: "\n  ")),
      "retryable": .bool(isRetryable),
    ]
    if let key { members["key"] = .string(key) }
    if let rule { members["rule"] = .string(rule) }
    if let remedy { members["remedy"] = .string(remedy.words) }
    return .object(members)
  }
}

extension LedgerError.Remedy {
  /// The remedy for a person at the command line.
  package var words: String { plainWords.withGivenOptions }
}

/// A failure of a library that is worded here: what to do about it is a matter of commands.
package protocol WordedFailure: Error {
  var worded: LedgerError { get }
}

/// Runs work of a library, and words its failure for the command line.
package func worded<Value, Failure: WordedFailure>(
  _ work: () throws(Failure) -> Value
) throws(LedgerError) -> Value {
  do throws(Failure) { return try work() } catch { throw error.worded }
}

/// The same, of work that waits.
package func worded<Value, Failure: WordedFailure>(
  _ work: () async throws(Failure) -> Value
) async throws(LedgerError) -> Value {
  do throws(Failure) { return try await work() } catch { throw error.worded }
}

extension StoreError: WordedFailure {
  package var worded: LedgerError { LedgerError(self) }
}

extension ReportingDay.Failure: WordedFailure {
  package var worded: LedgerError { LedgerError(self) }
}

// The words of remedies for the command line. Only here does a library's remedy get options and
// commands. There is no `default`, so that a new case does not compile until it has words.

extension LedgerError.Remedy {
  private var plainWords: String {
    switch self {
    case .text(let words): words
    case .all(let remedies): remedies.map(\.plainWords).joined(separator: "; ")
    case .store(let remedy): remedy.words
    case .publishAfter(let first, let date):
      (first.map { "\($0.plainWords), then " } ?? "")
        + "publish \(date) again: no data is stored twice"
    case .publish(let date): "publish the day again with `s3health put --date \(date) --input FILE`"
    case .publishOrAllowMissing(let date):
      "publish the day with `s3health put --date \(date) --input FILE`, or pass --allow-missing"
    case .publishEach: "publish each with `s3health put --date DATE --input FILE`"
    case .movePointer:
      "move it forward with `s3health verify --repair --yes`, or publish the day again"
    case .awaitPointer:
      """
      nothing to do: readers list the revisions. --repair or the next publish writes it if the \
      store has compare-and-swap
      """
    case .listRevisions(let date):
      "list the revisions of that day with `s3health get \(date) --history`"
    case .listFindings: "`s3health verify --output json` lists them all"
    case .raiseDayLimit(let days):
      "ask for a shorter range, or raise the limit (`--max-days \(days)`)"
    case .input(let remedy): remedy.words
    case .chooseEmptyFolder: "choose an empty one, or leave out --scratch"
    }
  }
}

extension LedgerError.InputRemedy {
  /// The remedy for a person at the command line.
  fileprivate var words: String {
    switch self {
    case .nameTheDate: "add \"date\", or give the date: s3health put --date DATE --input FILE"
    case .publishAlone: "give only this input: s3health put --input FILE"
    case .importExport: "if it is an Apple Health export, use s3health import FILE"
    case .checkInputPath: "check --input; `-` is stdin"
    case .leaveOutSourcePriority:
      "leave out --source-priority: Health Auto Export has merged its sources already"
    case .includeExportDay(let date):
      "publish it anyway with --date ..\(date), or export again tomorrow"
    case .askForOtherDates: "ask for others with --date"
    case .chooseDates(let last): "say which: --date all, --date \(last), or --date A..B"
    case .askForHeldDate: "ask for one of its dates, or --date all"
    case .resetAnchors:
      "run s3health raw sync --reset-anchors: everything is sent again, and still counted once"
    case .allowFuture:
      "check the date and this machine's clock; --allow-future publishes it anyway"
    case .allowPast: "check the date; --allow-past publishes it anyway"
    case .publishMetricsAlone:
      "give its JSON exports; a metrics JSON is published by put --input FILE"
    case .exportWorkouts(let name):
      "list them: s3health export csv --table workouts --input \(name)"
    case .nameZone: "use an IANA name such as Europe/Berlin (--timezone)"
    case .setZone(let name?): "set TZ=\(name), or give --timezone \(name)"
    case .giveZone:
      "name the zone of your days with --timezone, such as Europe/Berlin; to keep it: "
        + "s3health config set timezone NAME"
    case .setZone(nil): "set TZ to an IANA name such as Europe/Berlin, or give --timezone"
    }
  }
}

extension LedgerError.Detail {
  /// One line for a person at the command line.
  package var words: String { remedy.map { "\(message); \($0.words)" } ?? message }
}

extension StoreError.Remedy {
  /// The remedy for a person at the command line.
  package var words: String {
    switch self {
    case .text(let words): words
    case .all(let remedies): remedies.map(\.words).joined(separator: "; ")
    case .retry, .retryLater, .setClock: description
    case .allowMoreTime: "try again, or allow more time with --timeout"
    case .diagnose: "run `s3health doctor` to see what this store can do"
    case .raiseLimit(of: .openFiles): "raise the limit of open files (ulimit -n)"
    case .raiseLimit(of: .processes): "raise the limit of processes (ulimit -u)"
    case .runAs(let user):
      "run it as that user (sudo -u \(user) ...), or share the folder with a group by setgid"
    case .encryptTransport: "use https, or --allow-plaintext on a network that you trust"
    case .trustAuthority:
      "give the certificate authority with --ca-bundle, and check that the endpoint speaks https"
    case .exportCredentials(let profile):
      """
      run it in `aws configure export-credentials --profile \(profile) --format process` as \
      another profile's credential_process
      """
    case .checkEndpoint: "check --endpoint-url"
    case .checkEndpointAndNetwork(bucketIsInHostName: true):
      "check --endpoint-url and the network, or set addressing_style to path"
    case .checkEndpointAndNetwork(bucketIsInHostName: false):
      "check --endpoint-url and the network"
    case .checkServerAndNetwork: "check that the server is running, --endpoint-url and the network"
    case .checkAddressing: "check --endpoint-url and the setting addressing_style"
    case .createBucket:
      """
      create it with `s3health init STORE --create-bucket`, or check the name, --endpoint-url and the \
      setting addressing_style
      """
    case .checkBucketName: "check --store"
    case .simplifyPrefix: "choose a shorter or simpler prefix in --store"
    case .chooseRegion(andEndpoint: true):
      "set --region to the bucket's region and --endpoint-url to a server there"
    case .chooseRegion(andEndpoint: false): "set --region to the bucket's region"
    case .chooseEndpointAndRegion: "set --endpoint-url and --region to those of the bucket"
    case .leaveOutEncryption:
      "check the setting sse: leave it out, or set up key management for the store"
    case .checkEncryption:
      "check the setting sse, sse_kms_key_id if it is set, and --store: for encryption, many stores "
        + "require https and their own keys"
    }
  }
}
