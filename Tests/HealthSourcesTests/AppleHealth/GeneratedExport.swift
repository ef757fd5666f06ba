import Foundation
import TestSupport

/// An export that was made up, with the truth about each of its days.
struct GeneratedExport: Decodable {
  /// What the generator put into a day.
  struct Day: Decodable {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    let steps_watch: Double
    // swift-format-ignore: AlwaysUseLowerCamelCase
    let steps_phone_exclusive: Double
    /// Kilocalories.
    let energy: Double
    let exercise: Double
    let stand: Double
    let rhr: Double?
    let hrv: [Double]
    /// Minutes of the night that ends on the day.
    let asleep: Double
    let inbed: Double
  }

  let tz: String
  let days: [String: Day]

  /// Makes an export in `folder`; the file is `export.xml` there.
  static func make(in folder: URL, _ arguments: [String]) async throws -> GeneratedExport {
    let file = folder.appending(path: "export.xml")
    _ = try await PeerPython.run("gen_export.py", arguments: [file.path] + arguments)
    let truth = folder.appending(path: "export.truth.json")
    return try JSONDecoder().decode(Self.self, from: Data(contentsOf: truth))
  }
}
