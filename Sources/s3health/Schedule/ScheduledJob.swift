import ArgumentParser
import CommandLineKit

/// What runs by itself: a command of this program that ends.
enum ScheduledJob: String, CaseIterable, ExpressibleByArgument {
  case collect
  case sync
  case push

  /// Those that are installed if none is named. A push needs a gateway.
  static let usual: [ScheduledJob] = [.collect, .sync]

  /// The arguments of its runs. Notes would fill the system's journal.
  var arguments: [String] { [rawValue, "--quiet"] }

  var purpose: String {
    switch self {
    case .collect: "Publish the days that the source has changed (s3health collect)"
    case .sync: "Upload what is queued (s3health sync)"
    case .push: "Push the newest values to Prometheus (s3health push)"
    }
  }
}

/// When a job runs.
enum JobTiming: Hashable {
  /// Every so many seconds, counted from the end of the last run.
  case every(seconds: Int)
  /// Once a day, at this hour and minute of the machine's clock. A run that was missed, because the
  /// machine was off, is made up.
  case daily(hour: Int, minute: Int)

  /// Five minutes, as SN-1 has it.
  static let usual = JobTiming.every(seconds: 300)

  var words: String {
    switch self {
    case .every(let seconds):
      seconds.isMultiple(of: 3600)
        ? "every \(seconds / 3600) h"
        : seconds.isMultiple(of: 60) ? "every \(seconds / 60) min" : "every \(seconds) s"
    case .daily(let hour, let minute): "daily at \(Self.two(hour)):\(Self.two(minute))"
    }
  }

  static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// One file of a schedule.
struct ScheduleFile: Hashable {
  let name: String
  let text: String
}

/// A job as it is to be run.
struct JobPlan {
  let job: ScheduledJob
  /// The absolute path of this program.
  let program: String
  let timing: JobTiming
  /// The configuration file to read, if not the usual one.
  let configuration: String?

  /// The command line of a run.
  var command: [String] {
    [program] + job.arguments + (configuration.map { ["--config", $0] } ?? [])
  }
}
