import ArgumentParser
import CommandLineKit
import HealthEvents

/// What runs by itself: a command of this program that ends.
enum ScheduledJob: String, CaseIterable, ExpressibleByArgument {
  case collect
  case sync
  case push

  /// What the log and notifications call it.
  var service: NotificationMachine.Service {
    switch self {
    case .collect: .collect
    case .sync: .sync
    case .push: .push
    }
  }

  var purpose: String {
    switch self {
    case .collect: "Publish the days that the source has changed (s3health collect)"
    case .sync: "Upload what is queued (s3health raw sync)"
    case .push: "Push the newest values to Prometheus (s3health push)"
    }
  }
}

/// When a job runs.
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
    /// Payloads are queued.
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
    switch before {
    case nil: job.purpose
    case .collect: "Publish the days that have changed, then upload (s3health raw sync --collect)"
    case .queue: "Queue what is new in the source, then upload (s3health raw sync --queue)"
    }
  }
}

/// A job as a service and a timer of systemd, for the user's own manager (systemd.service(5),
/// systemd.timer(5)).
enum SystemdUnits {
  static func files(_ plan: JobPlan) -> [ScheduleFile] {
    let name = name(of: plan.job)
    return [
      ScheduleFile(name: "\(name).service", text: service(plan)),
      ScheduleFile(name: "\(name).timer", text: timer(plan)),
    ]
  }

  static func name(of job: ScheduledJob) -> String { "s3health-\(job.rawValue)" }

  private static func service(_ plan: JobPlan) -> String {
    """
    [Unit]
    Description=\(plan.purpose)

    [Service]
    Type=oneshot
    ExecStart=\(line(plan.command))
    TimeoutStartSec=1h
    Nice=10
    UMask=0077
    NoNewPrivileges=yes

    """
  }

  private static func timer(_ plan: JobPlan) -> String {
    let when =
      switch plan.timing {
      case .every(let seconds):
        "OnActiveSec=1min\nOnUnitInactiveSec=\(seconds)s"
      case .daily(let hour, let minute):
        "OnCalendar=*-*-* \(JobTiming.two(hour)):\(JobTiming.two(minute)):00\nPersistent=true"
      }
    return """
      [Unit]
      Description=\(plan.purpose), \(plan.timing.words)

      [Timer]
      \(when)
      AccuracySec=30s

      [Install]
      WantedBy=timers.target

      """
  }

  /// Whether systemd takes a program of this path: it wants neither quotes nor backslashes there.
  static func takes(program: String) -> Bool {
    !program.unicodeScalars.contains { "\"'\\".unicodeScalars.contains($0) || $0.isControl }
  }

  private static func line(_ command: [String]) -> String {
    // A program's path has specifiers, and no variables.
    let program = "\"\(command[0].replacing("%", with: "%%"))\""
    return ([program] + command.dropFirst().map(quoted)).joined(separator: " ")
  }

  /// An argument in the quoting of systemd.syntax(7), with specifiers and variables as plain text.
  static func quoted(_ argument: String) -> String {
    var text = ""
    for character in argument.unicodeScalars {
      switch character {
      case "%": text += "%%"
      case "$": text += "$$"
      case "\\": text += #"\\"#
      case "\"": text += #"\""#
      case "\n": text += #"\n"#
      case "\t": text += #"\t"#
      default: text.unicodeScalars.append(character)
      }
    }
    let isPlain = argument.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
    }
    return isPlain ? text : "\"\(text)\""
  }
}

/// A job as an agent of launchd (launchd.plist(5)).
enum LaunchAgent {
  static func files(_ plan: JobPlan) -> [ScheduleFile] {
    let label = label(of: plan.job)
    let arguments = plan.command.map { "    <string>\(escaped($0))</string>" }
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>Label</key>
        <string>\(label)</string>
        <key>ProgramArguments</key>
        <array>
      \(arguments.joined(separator: "\n"))
        </array>
      \(when(plan.timing))
        <key>ProcessType</key>
        <string>Background</string>
        <key>LowPriorityIO</key>
        <true/>
        <key>Umask</key>
        <integer>63</integer>
      </dict>
      </plist>

      """
    return [ScheduleFile(name: "\(label).plist", text: text)]
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  static func label(of job: ScheduledJob) -> String { "s3health.\(job.rawValue)" }

  /// launchd makes up one run for all that a sleeping machine missed.
  private static func when(_ timing: JobTiming) -> String {
    switch timing {
    case .every(let seconds):
      """
        <key>StartInterval</key>
        <integer>\(seconds)</integer>
      """
    case .daily(let hour, let minute):
      """
        <key>StartCalendarInterval</key>
        <dict>
          <key>Hour</key>
          <integer>\(hour)</integer>
          <key>Minute</key>
          <integer>\(minute)</integer>
        </dict>
      """
    }
  }
}
