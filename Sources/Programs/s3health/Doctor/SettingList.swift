import CommandLineKit
import Foundation
import S3Store

/// Settings with their origins, as `doctor` and `config show` print them. Secrets are not shown.
struct SettingList: Encodable {
  private let rows: [Row]

  private struct Row: Encodable {
    let setting, value, origin: String
  }

  init(_ settings: [SettingOrigin]) {
    rows = settings.map { setting in
      Row(
        setting: setting.setting, value: Setting.shown(setting.value, of: setting.setting),
        origin: setting.origin)
    }
  }

  func encode(to encoder: any Encoder) throws { try rows.encode(to: encoder) }

  /// A row for each: name, value, origin. A long value has its origin on a line below.
  func lines(_ terminal: Terminal) -> [String] {
    let home = UserDirectories(environment: ProcessInfo.processInfo.environment).home + "/"
    // A row must fit on a line. The JSON document has the whole path.
    func fromHome(_ text: String) -> String {
      text.hasPrefix(home) ? "~/" + text.dropFirst(home.count) : text
    }
    let nameWidth = rows.map(\.setting.count).max() ?? 0
    let originWidth = rows.map { fromHome($0.origin).printable.count }.max() ?? 0
    let room = max(16, terminal.width - nameWidth - originWidth - 6)
    let valueWidth = min(room, rows.map { fromHome($0.value).printable.count }.max() ?? 0)
    return rows.map { setting in
      let value = fromHome(setting.value).printable
      let origin = terminal.styled(fromHome(setting.origin).printable, .faint)
      let row = "  \(setting.setting.padded(to: nameWidth))  \(value.padded(to: valueWidth))  "
      guard terminal.isTerminal, value.count > valueWidth else { return row + origin }
      return "  \(setting.setting.padded(to: nameWidth))  \(value)\n"
        + String(repeating: " ", count: nameWidth + 6) + origin
    }
  }
}
