import Foundation

/// `PhonePreview SCREEN` prints a screen of the phone's app in each of its states, as lines of text.
@main
struct Main {
  @MainActor static func main() async throws {
    let names = CommandLine.arguments.dropFirst()
    let screens = names.isEmpty ? PreviewScreen.allCases : names.compactMap(PreviewScreen.init)
    guard names.allSatisfy({ PreviewScreen(rawValue: $0) != nil }) else {
      let known = PreviewScreen.allCases.map(\.rawValue).joined(separator: ", ")
      FileHandle.standardError.write(Data("PhonePreview SCREEN...; screens: \(known)\n".utf8))
      exit(64)
    }
    for screen in screens {
      for (title, lines) in try await screen.states() {
        show("\(screen.rawValue): \(title)", lines)
      }
    }
  }

  /// A phone's screen with a frame.
  private static func show(_ title: String, _ lines: [String]) {
    print("── \(title) " + String(repeating: "─", count: max(0, 70 - title.count)))
    for line in lines { print("│ \(line)") }
    print("")
  }
}
