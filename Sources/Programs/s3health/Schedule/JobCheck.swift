import CommandLineKit
import Foundation
import HealthLedger
import HealthSources

/// Whether scheduled runs could do their work: they read the configuration file, and have no
/// variable of the shell that installs them.
struct JobCheck {
  let shell: [String: String]
  let settings: Settings

  /// - Parameter configuration: the configuration file that the runs read, if not the usual one.
  init(_ shell: [String: String], configuration: String?) throws(LedgerError) {
    self.shell = shell
    var given = GivenSettings()
    given.take(.config, configuration)
    settings = try Settings(
      given, environment: shell.filter { !Self.isSetting($0.key) || $0.value.isEmpty })
  }

  /// Whether a variable of the shell changes what a command does. Whether AWS's own tools ask the
  /// machine's metadata does not.
  private static func isSetting(_ name: String) -> Bool {
    (name.hasPrefix("S3HEALTH_") || name.hasPrefix("AWS_") || name == "TZ")
      && name != "AWS_EC2_METADATA_DISABLED"
  }

  /// Whether a source is configured, here or in the variables of this shell.
  var hasSource: Bool {
    settings.store.source != nil || !shell["S3HEALTH_SOURCE", default: ""].isEmpty
  }

  /// The variables that are set here and would be missed, but without which a run may work.
  var missedVariables: [String] {
    shell.filter { Self.isSetting($0.key) && !$0.value.isEmpty && $0.key != "S3HEALTH_CONFIG" }
      .keys.sorted()
  }

  /// What would make each run fail, or do something else than the same command in this shell.
  func problems(of plans: [JobPlan]) async -> [LedgerError.Detail] {
    var problems: [LedgerError.Detail] = []
    let file = settings.store.configurationPath
    func value(_ setting: Setting) -> String? {
      StoreSettings.variable("S3HEALTH_\(setting.rawValue.uppercased())", shell)
    }
    // A setting that runs don't have: of this shell alone, or of nobody.
    func misses(_ setting: Setting, _ example: String, so effect: String) {
      let words =
        value(setting).map { _ in
          "S3HEALTH_\(setting.rawValue.uppercased()) is set in this shell alone"
        }
        ?? "no \(setting.rawValue) is configured, so \(effect)"
      let line = "\(setting.rawValue) = \(value(setting) ?? example)"
      problems.append(.init(words, remedy: .text("write `\(line)` to \(file)")))
    }
    if let own = value(.config), !plans.contains(where: { $0.configuration != nil }) {
      problems.append(
        .init(
          "S3HEALTH_CONFIG is set in this shell alone",
          remedy: .text("name the file: --config \(own)")))
    }
    if let own = value(.store), settings.store.origins.first?.value != own {
      misses(.store, "", so: "")
    }
    if plans.contains(where: \.collects) {
      if let source = settings.store.source {
        problems += problem(of: source, isQueued: plans.contains { $0.before == .queue })
      } else {
        misses(.source, "PATH", so: "there is nothing to collect")
      }
    }
    if plans.contains(where: { $0.job == .push }), settings.store.gateways.isEmpty {
      misses(.gateway, "URL", so: "there is nothing to push to")
    }
    return problems + (await missingKeys)
  }

  private func problem(of source: SourceSetting, isQueued: Bool) -> [LedgerError.Detail] {
    guard !source.isStreams else { return [] }
    var words = "the source can't be read: "
    do throws(LedgerError) {
      _ = try Input(configured: source.path)
      words = ""
      if isQueued { try QueueRun.check(source.path) }
      return []
    } catch {
      return [.init(words + error.message, remedy: error.remedy)]
    }
  }

  /// The bucket's keys, if a run would find none. What else is wrong with the store may pass.
  private var missingKeys: [LedgerError.Detail] {
    get async {
      guard let opened = try? OpenedStore(settings), case .s3(_, let keys) = opened.backing else {
        return []
      }
      do {
        _ = try await keys.credentials()
        return []
      } catch {
        let isHere = !shell["AWS_ACCESS_KEY_ID", default: ""].isEmpty
        return [
          .init(
            isHere
              ? "the bucket's keys are in variables of this shell alone"
              : "the bucket's keys are missing: \(error.message)",
            remedy: "write them to ~/.aws/credentials (`aws configure` does)")
        ]
      }
    }
  }
}
