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
