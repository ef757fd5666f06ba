import CommandLineKit

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
