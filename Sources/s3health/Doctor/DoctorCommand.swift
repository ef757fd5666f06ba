import ArgumentParser
import HealthLedger
import S3Store

/// `doctor`: where settings come from, and whether the store does what the ledger needs.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Tell where each setting came from and check the store, with remedies.",
    discussion: """
      Writes and removes scratch objects below health/v0/.probe/ in the store. Exits with 1 if a \
      check gave a warning, and with the failure's code if one failed.
      """)

  @Option(help: .init("Reporting time zone; else this machine's.", valueName: "iana-name"))
  var timezone: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(store)
      let report = await Self.diagnose(try Settings(store, timeZone: timezone))
      try report.print(output.output)
      return report.exitCode
    }
  }

  /// Which proxy of the environment is used; never with the user and password that it may name.
  private static func proxySetting(_ bucket: S3Store) -> SettingOrigin {
    let host = bucket.configuration.effectiveEndpoint.host
    guard let proxy = bucket.proxy else {
      return SettingOrigin("proxy", value: "none", origin: "environment, for \(host)")
    }
    return SettingOrigin(
      "proxy", value: proxy.address ?? "(unreadable, not shown)", origin: proxy.variable)
  }

  /// Looks at everything that the settings lead to.
  static func diagnose(_ settings: Settings) async -> DoctorReport {
    var report = DoctorReport(settings: settings.origins)
    report.add(Self.timeZoneCheck(settings))
    if let source = settings.source { report.add(Self.sourceCheck(source)) }
    do throws(LedgerError) {
      let opened = try OpenedStore(settings, for: .writing)
      (report.name, report.backend) = (opened.name, opened.backend)
      switch opened.backing {
      case .directory(let directory, let path):
        report.add(
          await DirectoryDiagnosis(
            store: directory, path: path, layout: opened.ledger.layout
          ).checks)
      case .s3(let bucket, let credentials):
        report.settings += bucket.configuration.origins + [Self.proxySetting(bucket)]
        let diagnosis = BucketDiagnosis(
          store: bucket, credentials: credentials, layout: opened.ledger.layout)
        report.add(await diagnosis.checks)
      }
    } catch {
      report.add(.failed("store", error))
    }
    return report
  }

  private static func sourceCheck(_ source: SourceSetting) -> DoctorCheck {
    do throws(LedgerError) {
      switch try source.recognised() {
      case .export: return .ok("source", "\(source.path) looks like an Apple Health export")
      case .payloads(let files, _) where InputFile.isFolder(source.path):
        return .ok("source", "\(source.path) holds \(files.count.grouped) payloads")
      case .payloads, .pipedPayload: return .ok("source", "\(source.path) is there")
      }
    } catch {
      return .failed("source", error)
    }
  }

  private static func timeZoneCheck(_ settings: Settings) -> DoctorCheck {
    do {
      let today = try settings.today
      return .ok("time zone", "\(settings.timeZoneName), where today is \(today)")
    } catch {
      return .failed("time zone", error)
    }
  }
}
