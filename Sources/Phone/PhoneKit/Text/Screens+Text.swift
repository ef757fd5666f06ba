public import HealthCollector
import HealthModel
import HealthStreams

extension SyncMachine {
  /// The screen as lines of text.
  ///
  /// - Parameter timeZoneName: the zone that times are shown in.
  public func text(timeZoneName: String) -> [String] {
    func time(_ moment: Timestamp?) -> String {
      moment.map { TextWords.time($0, timeZoneName) } ?? "never"
    }
    let state =
      switch phase {
      case .stopped: "Stopped"
      case .waiting(let seconds): "Next sync within \(seconds / 60) min \(seconds % 60) s"
      case .syncing: "Syncing…"
      case .blocked(let code, let message):
        "❌ \(code): \(message). Change this in Settings > Endpoint, or sync again."
      }
    var lines = ["Sync", "", state, ""]
    for stream in StreamName.collected {
      let counts = status?.streamCounts[stream]
      lines.append(
        "\(stream.shortName): \(counts?.pending ?? 0) waiting, \(counts?.failed ?? 0) failed, "
          + "\(counts?.uploaded ?? 0) uploaded")
    }
    lines += [
      "", "Last upload attempt: \(time(lastUploadDate))",
      "Last successful sync: \(time(lastSuccessfulSyncDate))",
    ]
    if let error = status?.lastError {
      lines.append("Last error: \(error.code) at \(time(error.date)): \(error.message)")
    }
    if status?.needsSpace == true { lines.append("❌ Fewer than 50 MB are free. Make room.") }
    lines += ["", maySync ? "[ Sync now ]" : "( Sync now )"]
    if mayRetry { lines.append("[ Retry failed ]") }
    return lines
  }
}

extension GatewaysMachine {
  /// What plain http means, beside the switch that allows it.
  public static let plaintextWarning = "Plain http: whoever is on the way can read what is pushed."

  /// When a gateway last took what was pushed.
  public func lastPush(of gateway: PhoneGateway, timeZoneName: String) -> String {
    "Last push: " + (lastPushes[gateway.id].map { TextWords.time($0, timeZoneName) } ?? "never")
  }

  /// The screen as lines of text.
  ///
  /// - Parameter timeZoneName: the zone that times are shown in.
  public func text(timeZoneName: String) -> [String] {
    var lines = ["Pushgateways", ""]
    for gateway in gateways {
      let state =
        switch tests[gateway.id] {
        case nil: ""
        case .running?: "Testing…"
        case .succeeded?: "✅ The test was taken"
        case .failed(let reason)?: "❌ \(reason)"
        }
      lines +=
        [
          "\(gateway.isOn ? "●" : "○") \(gateway.url)",
          "   job \(PhoneGateway.job), instance \(gateway.instance)"
            + (gateway.user.isEmpty ? "" : ", user \(gateway.user)"),
          "   \(lastPush(of: gateway, timeZoneName: timeZoneName))",
          "   [ Test ]  \(state)", "   [ Change ]  [ Remove ]",
        ] + (gateway.allowsPlaintext ? ["   " + Self.plaintextWarning] : [])
    }
    if gateways.isEmpty { lines.append("None: nothing is pushed.") }
    let chosen =
      [metrics.map { "\($0.count) of \(Self.allMetrics.count)" } ?? "all"]
      + (pushesHeartRate ? [] : ["no current heart rate"]) + (pushesWorkouts ? [] : ["no workouts"])
    return lines + [
      "", "Metrics: \(chosen.joined(separator: ", "))", mayAdd ? "[ Add ]" : "( Add )",
    ]
  }
}

extension RecordsMachine {
  /// The screen as lines of text.
  ///
  /// - Parameter timeZoneName: the zone that times are shown in.
  public func text(timeZoneName: String) -> [String] {
    let state: [String] =
      switch phase {
      case .disconnected: ["Not connected", "[ Connect ]"]
      case .asking: ["Allow Health in the sheet that has opened."]
      case .denied:
        ["❌ Health was not allowed. \(PhonePermission.health.remedy)", "[ Open Settings ]"]
      case .backfilling: ["Sending the past: \(done)", "[ Disconnect ]"]
      case .syncing: ["Sending what is new…", "[ Disconnect ]"]
      case .upToDate:
        [
          "✅ Up to date"
            + (lastSync.map { ", \(TextWords.time($0, timeZoneName))" } ?? ""),
          "[ Sync now ]  [ Disconnect ]",
        ]
      case .failed(let reason):
        [
          "❌ \(reason)", "Sent: \(done); the rest follows.", "[ Try again ]  [ Disconnect ]",
        ]
      }
    return ["Records in your database", ""] + state
  }

  private var done: String {
    "\(progress.records) records, \(progress.days) of \(progress.allDays) days"
  }
}

extension EndpointMachine {
  /// What is used, what was entered, and whether it can be used.
  public var lines: [String] {
    let state =
      switch verification {
      case .unverified:
        entered == nil ? [] : ["Not verified yet. The one above is used until then."]
      case .verifying: ["Verifying…"]
      case .refused(let reason): ["❌ \(reason)", "The one above is still used."]
      case .verified: ["✅ Verified, and used from now on. What waits goes there."]
      }
    return ["Used: \(current?.title ?? "none")"]
      + (entered.map { ["Entered: \($0.title)"] } ?? []) + state
  }

  /// The screen as lines of text.
  public var text: [String] {
    ["Endpoint", ""] + lines + ["", mayVerify ? "[ Verify and use ]" : "( Verify and use )"]
  }
}

extension SettingsMachine {
  /// What the person must allow again, with what to do.
  public var permissionLines: [String] {
    missing.flatMap { ["❌ E005: \($0.title) is not allowed. \($0.remedy)", "[ Open Settings ]"] }
  }

  /// The screen as lines of text.
  public var text: [String] {
    var lines = ["Settings", ""]
    for stream in streams {
      lines.append("\(settings.streams.contains(stream) ? "●" : "○") \(stream.shortName)")
    }
    lines += permissionLines
    lines.append("Endpoint: \(settings.receiver?.title ?? "none")  [ Change ]")
    let input = usedInput.map(\.name) ?? "none"
    lines.append("Audio Input: \(input)\(fellBack ? " (the chosen one is not connected)" : "")")
    lines += inputs.map { "   \($0.id == usedInput?.id ? "●" : "○") \($0.name)" }
    lines += [
      "Goal: \(DashboardFormat.enUS.count(settings.stepGoal)) steps",
      "Sync and push: every \(settings.intervalMinutes) min",
      "Notifications: every \(settings.notifyHours) h, and at once on errors", "",
      settings.isRunning ? "[ Stop ]" : mayStart ? "[ Start ]" : "( Start )",
    ]
    return lines
  }
}

extension LogModel {
  /// The screen as lines of text.
  ///
  /// - Parameter timeZoneName: the zone that times are shown in.
  public func text(timeZoneName: String) -> [String] {
    let filters = [
      filter.onlyErrors ? "errors" : nil,
      filter.types.isEmpty ? nil : filter.types.sorted().joined(separator: ", "),
      filter.text.isEmpty ? nil : "\"\(filter.text)\"",
    ].compactMap(\.self)
    return ["Log", "", "Shown: \(filters.isEmpty ? "all" : filters.joined(separator: ", "))", ""]
      + shown.map {
        "\(TextWords.time($0.timestamp, timeZoneName))  \($0.type)  \($0.message)"
          + ($0.stream.map { "  \($0)" } ?? "")
      }
  }
}

extension TodayModel {
  /// Yesterday and the week, a line for each metric.
  public var comparisonLines: [String] {
    guard let date else { return [] }
    return [DailyMetric.steps, .distance, .activeEnergy].map { metric in
      let captured = date.adding(days: -1).flatMap { partial[$0]?[metric]?.words }
      return "\(metric.label): yesterday \(TextWords.number(dashboard.yesterday[metric]))"
        + (captured.map { " \($0)" } ?? "")
        + ", week \(TextWords.number(dashboard.weekAverage[metric]))"
    }
  }

  /// What was reached today.
  public var badges: [StepBadge] { summary?.badges ?? [] }

  /// What a person should know and can do; nil if all is well.
  public var message: String? {
    if isOff { return "Health is turned off in Settings > Streams." }
    if seesNothing {
      return
        "Health shows this app no steps, distance or energy at all: access is denied, or there are "
        + "none yet. " + PhonePermission.health.remedy
    }
    return dashboard.errorMessage ?? errorMessage
  }

  /// The screen as lines of text.
  public var text: [String] {
    var lines = ["Today" + (dashboard.isTracking ? "   ● LIVE" : ""), ""]
    let filled = Int(min(1, dashboard.stepProgressPercentage) * 20)
    lines += [
      "\(dashboard.formattedDailySteps) of \(dashboard.formattedStepGoal) steps",
      "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: 20 - filled)
        + "]",
      dashboard.formattedDistance, dashboard.formattedActiveEnergy,
      "Last updated \(dashboard.formattedLastUpdated)",
    ]
    lines += comparisonLines + badges.map { "🏅 \($0.title)" }
    if let message { lines.append("❌ \(message)") }
    if !dashboard.isTracking { lines.append("[ Enable ]") }
    return lines
  }
}

/// How the texts of screens write times and numbers.
enum TextWords {
  static func time(_ moment: Timestamp, _ timeZoneName: String) -> String {
    let date = try? ReportingDay.date(at: moment, timeZoneName: timeZoneName)
    let time = try? DashboardFormat.enUS.time(moment, timeZoneName: timeZoneName)
    return "\(date.map(\.description) ?? "") \(time ?? moment.description)"
  }

  /// A number, or the text for a missing one, which is not 0.
  static func number(_ number: Double?) -> String {
    number.map { DashboardFormat.enUS.decimal($0, places: 0) } ?? "no data"
  }
}

extension RecordingMachine.LogEvent {
  /// The line of the log, as the documents word it.
  public var words: String {
    switch self {
    case .started: "Audio recording started"
    case .stopped: "Audio recording stopped"
    case .interrupted: "Audio interruption began"
    case .resumed: "Audio interruption ended"
    case .resumeFailed: "Audio did not go on after the interruption"
    case .restarted: "Audio recording restarted"
    case .restartFailed: "Audio recording could not be restarted"
    case .foundSilent: "Audio recording had stopped in the background"
    }
  }
}
