import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthSources
import StreamDays

/// `doctor`: shows where settings come from, and checks whether the store does what the ledger
/// needs.
struct DoctorCommand: ResultCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Show each setting with its origin; check the store.",
    discussion: """
      Writes scratch objects below health/v0/.probe/ and health/v0/data/.check in the store and \
      removes them. --verbose shows each step. Exits with 1 if a check gives a warning, and with the code of the failure if a \
      check fails.
      """)

  @OptionGroup var zone: ZoneOption

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func result() async throws(LedgerError) -> any CommandResult {
    var report = await Self.diagnose(try Settings(store, timeZone: zone.timezone))
    report.isDetailed = store.speech.verbose
    return report
  }

  /// Checks everything that the settings name.
  static func diagnose(_ given: Settings) async -> DoctorReport {
    // If the store can't be read, the checks say why.
    let own = (try? await given.completed(asksStore: false)) ?? given
    let settings = (try? await own.completed(.newDays)) ?? own
    var report = DoctorReport(settings: settings.origins)
    report.add(await Self.timeZoneCheck(settings))
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
        return .ok("source", "\(source.path) holds \(files.count.counted("payload"))")
      case .payloads, .pipedPayload: return .ok("source", "\(source.path) is there")
      }
    } catch {
      return .failed("source", error)
    }
  }

  private static func timeZoneCheck(_ settings: Settings) async -> DiagnosticCheck {
    do {
      let today = try settings.today
      let words = "\(settings.timeZoneName), today is \(today)"
      guard settings.zone.isMissing else {
        return .ok("time zone", settings.zone.isKept ? "\(words) (the store keeps it)" : words)
      }
      return await (try? OpenedStore(settings))?.missingZoneCheck(settings)?.check
        ?? settings.missingZoneCheck(nil)
    } catch {
      return .failed("time zone", error)
    }
  }
}

extension Settings {
  /// - Parameter misfit: the rows that wait for a zone, if there are any.
  fileprivate func missingZoneCheck(_ misfit: OffsetMisfit?) -> DiagnosticCheck {
    .warning(
      "time zone",
      "none is set, so days begin and end by this machine's: \(zone.text)"
        + (misfit.map { "; days wait for yours, because \($0.unset())" } ?? ""),
      remedy: .text(settingZone()))
  }
}

extension OpenedStore {
  /// That nobody has set a zone, and whether days wait for one; nil if one is set.
  func missingZoneCheck(_ settings: Settings) async -> (check: DiagnosticCheck, isWaiting: Bool)? {
    guard settings.zone.isMissing else { return nil }
    // What can't be read is reported by the checks of the store.
    let misfit = try? await rowsWithoutZone(settings)
    return (settings.missingZoneCheck(misfit), misfit != nil)
  }

  /// Posted rows that wait for a zone, by the newest marker; nil if there are none.
  fileprivate func rowsWithoutZone(_ settings: Settings) async throws -> OffsetMisfit? {
    let streams = try streams
    let deriver = DayDeriver(
      ledger: ledger, streams: streams, zones: settings.zone.zones, areZonesSet: false,
      isDryRun: true)
    let newest = try await streams.markers().markers.max {
      $0.lastModified ?? 0 < $1.lastModified ?? 0
    }
    guard let newest, case .success(let marker)? = try await streams.read(newest),
      let moment = marker.spans.last?.upperBound
    else { return nil }
    let day = try await deriver.recompute(try await deriver.readZones().date(at: moment))
    return day.needsZone ? day.misfit : nil
  }
}
