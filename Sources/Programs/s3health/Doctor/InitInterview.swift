import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import ObjectStore
import S3Store

/// `init` without a store asks a person. Nothing is written before all answers were tested.
extension InitCommand {
  /// Asks until the answers can be written, or the person gives up.
  func interview(
    _ file: ConfigurationFile, _ environment: [String: String]
  ) async throws(LedgerError) -> ExitCode {
    guard Prompt.hasPerson else {
      throw LedgerError(
        .invalidArguments, "init needs the store",
        remedy: "write s3health init STORE, such as ~/health or s3://bucket/prefix")
    }
    var answers = self
    while true {
      try await answers.askAll(file, environment)
      let (code, isRefused) = try await answers.write(to: file, environment, isAsked: true)
      guard isRefused, try Prompt.agrees("Answer again?") else { return code }
    }
  }

  /// Asks for what the command line does not say. What was answered before is the usual answer.
  private mutating func askAll(
    _ file: ConfigurationFile, _ environment: [String: String]
  ) async throws(LedgerError) {
    let usual = UserDirectories(environment: environment).data + "/store"
    let before = self
    try ask(file, environment) { (answers) throws(LedgerError) in
      let store = try Prompt.answer(
        "Where are the days kept? A folder, or s3://bucket/prefix",
        usual: before.store ?? file.values[.store] ?? usual)
      answers.store = store
      try Self.offerFolder(store, environment, usual: usual)
    }
    if store?.hasPrefix("s3://") == true {
      try ask(file, environment) { (answers) throws(LedgerError) in
        let endpoint = try Prompt.answer(
          "The server, such as https://minio.home:9000",
          usual: Self.shown(before.endpointUrl) ?? file.values[.endpointURL] ?? Self.aws)
        answers.endpointUrl = endpoint.lowercased() == Self.aws.lowercased() ? "" : endpoint
        answers.allowPlaintext =
          before.allowPlaintext || file.values[.allowPlaintext] == "true"
        if endpoint.hasPrefix("http://"), !answers.isUsable(file, environment) {
          answers.allowPlaintext = try Prompt.agrees(
            "Over http anybody on the way can read the data. Use it all the same?", usual: "no")
        }
      }
      try ask(file, environment) { (answers) throws(LedgerError) in
        answers.bucket.region = try Prompt.answer(
          "Its region",
          usual: before.bucket.region ?? file.values[.region] ?? S3Configuration.defaultRegion)
      }
    }
    try await askZone(file, environment)
    try ask(file, environment) { (answers) throws(LedgerError) in
      let nothing = "nothing yet"
      let source = try Prompt.answer(
        "What do put and collect read? An export, or a folder of payloads",
        usual: before.source ?? file.values[.source] ?? nothing)
      answers.source = source == nothing ? nil : source
    }
    let edit = try Self.edit(file, try wanted(file))
    for change in edit.changes {
      guard let old = change.old, !force else { continue }
      force = try Prompt.agrees(
        change.new.map { "Change \(change.name.rawValue) from \(old) to \($0)?" }
          ?? "Remove \(change.name.rawValue), which is \(old)?")
      // `write` refuses the change, and says how to keep both.
      if !force { return }
    }
  }

  /// Asks for the time zone, unless it is set or the store keeps one. A machine on UTC proposes none:
  /// nobody's day begins there.
  private mutating func askZone(
    _ file: ConfigurationFile, _ environment: [String: String]
  ) async throws(LedgerError) {
    let before = zone.timezone
    // What is wrong with the store is said when the answers are tested.
    let settings = try Settings(
      GivenSettings(), file: try Self.edit(file, try wanted(file)).file,
      environment: environment.merging(["AWS_MAX_ATTEMPTS": "1"]) { $1 })
    let known = ((try? await settings.completed(.newDays)) ?? settings).zone
    guard before != nil || known.isMissing else { return }
    let notYet = "not yet"
    let isPlace =
      known.failure == nil && known.text.contains { $0 == "/" } && !known.text.hasPrefix("Etc/")
    try ask(file, environment) { (answers) throws(LedgerError) in
      let zone = try Prompt.answer(
        "Your time zone, such as Europe/Berlin",
        usual: before ?? (isPlace ? known.text : notYet))
      answers.zone.timezone = zone == notYet ? nil : zone
    }
  }

  /// What a person types for AWS's own endpoints, which the file does not name.
  private static let aws = "AWS"

  private static func shown(_ endpoint: String?) -> String? {
    endpoint.map { $0.isEmpty ? aws : $0 }
  }

  /// Asks one question, again if no command could use its answer.
  private mutating func ask(
    _ file: ConfigurationFile, _ environment: [String: String],
    _ question: (inout Self) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    while true {
      var answers = self
      try question(&answers)
      do throws(LedgerError) {
        try answers.tryOut(file, environment)
        self = answers
        return
      } catch {
        StandardStreams.say(error)
      }
    }
  }

  private func tryOut(
    _ file: ConfigurationFile, _ environment: [String: String]
  ) throws(LedgerError) {
    try check(try Self.edit(file, try wanted(file)).file, environment)
  }

  private func isUsable(_ file: ConfigurationFile, _ environment: [String: String]) -> Bool {
    (try? tryOut(file, environment)) != nil
  }

  /// Offers to make a folder that does not exist. The usual one is made when it is first written.
  private static func offerFolder(
    _ store: String, _ environment: [String: String], usual: String
  ) throws(LedgerError) {
    let location = try? StoreLocation(
      store, home: UserDirectories(environment: environment).home,
      workingDirectory: FileManager.default.currentDirectoryPath)
    guard case .directory(let folder)? = location, folder != usual, access(folder, F_OK) != 0,
      try Prompt.agrees("The folder \(folder) does not exist. Create it?")
    else { return }
    do throws(SystemFailure) {
      try PrivateFolder.create(folder)
    } catch {
      StandardStreams.say(
        LedgerError(
          .storageUnavailable, "the folder \(folder) can't be made: \(error.reason)",
          remedy: "name a folder where you may write"))
    }
  }
}
