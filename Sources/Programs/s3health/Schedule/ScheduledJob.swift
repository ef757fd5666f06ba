import ArgumentParser
import CommandLineKit
import HealthEvents

/// What runs by itself: a command of this program that ends.
typealias ScheduledJob = NotificationMachine.Service

extension ScheduledJob: ExpressibleByArgument {}

enum JobTiming: Hashable {
  /// The interval in seconds, counted from the end of the last run.
  case every(seconds: Int)
  /// Once a day, at this hour and minute of the machine's clock. A run that was missed, because the
  /// machine was off, is made up.
  case daily(hour: Int, minute: Int)

  /// Five minutes.
  static let usual = JobTiming.every(seconds: 300)

  var words: String {
    switch self {
    case .every(let seconds):
      seconds.isMultiple(of: 3600)
        ? "every \(seconds / 3600) h"
        : seconds.isMultiple(of: 60) ? "every \(seconds / 60) min" : "every \(seconds) s"
    case .daily(let hour, let minute): "daily at \(Self.clock(hour, minute))"
    }
  }

  static func clock(_ hour: Int, _ minute: Int) -> String {
    "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}

struct JobPlan {
  let job: ScheduledJob
  /// What a sync does first. One job for both, so that an upload never waits for the next run.
  var before: Collection?
  /// The absolute path of this program.
  let program: String
  let timing: JobTiming
  /// The configuration file to read, if not the usual one.
  let configuration: String?

  /// What is collected before an upload.
  enum Collection: String {
    /// Days are published.
    case collect
    case queue
  }

  /// Whether a run reads the configured source.
  var collects: Bool { job == .collect || before != nil }

  /// The command line of a run. Notes would fill the system's journal.
  var command: [String] {
    [program] + (job == .sync ? ["raw", "sync"] : [job.rawValue])
      + (before.map { ["--\($0.rawValue)"] } ?? []) + ["--quiet"]
      + (configuration.map { ["--config", $0] } ?? [])
  }

  var purpose: String {
    switch (job, before) {
    case (_, .collect):
      "Publish the days that have changed, then upload (s3health raw sync --collect)"
    case (_, .queue): "Queue what is new in the source, then upload (s3health raw sync --queue)"
    case (.collect, nil): "Publish the days that the source has changed (s3health collect)"
    case (.sync, nil): "Upload what is queued (s3health raw sync)"
    case (.push, nil): "Push the newest values to Prometheus (s3health push)"
    }
  }
}
