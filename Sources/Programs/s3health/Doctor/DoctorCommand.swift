import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthSources

/// `doctor`: shows where settings come from, and checks whether the store does what the ledger
/// needs.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Show each setting with its origin, and check the store.",
    discussion: """
      Writes scratch objects below health/v0/.probe/ and health/v0/data/.check in the store and \
      removes them. --verbose shows each step. Exits with 1 if a check gives a warning, and with the code of the failure if a \
      check fails.
      """)

  @Option(help: .init("Reporting time zone. Default: this machine's.", valueName: "iana-name"))
  var timezone: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(store)
      let settings = try Settings(store, timeZone: timezone)
      // If the store can't be read, the checks say why.
      let report = await Self.diagnose((try? await settings.ofPerson()) ?? settings)
      try report.print(output.output, inDetail: store.speech.verbose)
      return report.exitCode
    }
  }

  /// Checks everything that the settings name.
  static func diagnose(_ settings: Settings) async -> DoctorReport {
    var report = DoctorReport(settings: settings.origins)
    report.add(Self.timeZoneCheck(settings))
    if let source = settings.store.source { report.add(Self.sourceCheck(source)) }
    do throws(LedgerError) {
      let opened = try OpenedStore(settings, for: .writing)
      (report.name, report.backend) = (opened.name, opened.backend)
      report.settings += opened.origins
      report.add(await opened.checks)
    } catch {
      report.add(.failed("store", error))
    }
    return report
  }

  private static func sourceCheck(_ source: SourceSetting) -> DiagnosticCheck {
    if source.isStreams { return .ok("source", "the samples in the store's streams") }
    do throws(LedgerError) {
      switch try Input(configured: source.path).kind {
      case .export: return .ok("source", "\(source.path) looks like an Apple Health export")
      case .payloads(let files, _) where InputFile.isFolder(source.path):
        return .ok("source", "\(source.path) holds \(files.count.grouped) payloads")
      case .payloads, .pipedPayload: return .ok("source", "\(source.path) is there")
      }
    } catch {
      return .failed("source", error)
    }
  }

  private static func timeZoneCheck(_ settings: Settings) -> DiagnosticCheck {
    do {
      let today = try settings.today
      return .ok("time zone", "\(settings.timeZoneName), today is \(today)")
    } catch {
      return .failed("time zone", error)
    }
  }
}
