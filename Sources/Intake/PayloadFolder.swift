import Foundation
import HealthLedger

/// The payloads in a folder that an automation of Health Auto Export fills.
struct PayloadFolder {
  /// Files that end in `.json`, sorted as people sort names: `day 9` before `day 10`.
  let files: [String]
  /// Names of other files that are not hidden, sorted.
  let others: [String]

  /// The most files of one folder.
  private static let maximumFiles = 100_000

  /// Looks into a folder, but not into its subfolders.
  ///
  /// - Throws: `IntakeError` INVALID_ARGUMENTS if it can't be read, holds `.hae` files, or holds no
  ///   `.json` file.
  init(_ path: String) throws(IntakeError) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw IntakeError(
        .invalidArguments, "the folder \(path) can't be read: \(error.localizedDescription)",
        remedy: "check its permissions")
    }
    let visible = names.filter { !$0.hasPrefix(".") }
    func isFile(_ name: String) -> Bool {
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isDirectory)
        && !isDirectory.boolValue
    }
    if let archive = Self.firstArchive(path, visible) {
      throw IntakeError(
        .invalidArguments,
        "\(path) holds files of Health Auto Export's iCloud AutoSync, such as \(archive): they are "
          + "compressed with LZFSE and can't be read",
        remedy: "use a manual export or an automation with the format JSON, and name its folder")
    }
    let payloads = visible.filter { $0.lowercased().hasSuffix(".json") && isFile($0) }
    if payloads.isEmpty,
      let table = visible.sorted().first(where: {
        $0.lowercased().hasSuffix(".csv")
      })
    {
      throw IntakeError(
        .invalidArguments, "\(path) holds CSV files, such as \(table), and no .json file",
        remedy: "choose JSON as the format in Health Auto Export, and name the folder again")
    }
    guard !payloads.isEmpty else {
      throw IntakeError(
        .invalidArguments,
        "\(path) is a folder that holds neither Apple Health's export.xml nor a .json file",
        remedy: """
          name export.zip, an unpacked apple_health_export, or a folder of Health Auto Export's \
          JSON files
          """)
    }
    guard payloads.count <= Self.maximumFiles else {
      throw IntakeError(
        .invalidArguments, "\(path) holds more than \(Self.maximumFiles) files",
        remedy: "split the folder")
    }
    files = payloads.sorted(by: Self.isBefore).map { path + "/" + $0 }
    others = visible.filter { !payloads.contains($0) && isFile($0) }.sorted()
  }

  /// By the numbers in the names; if those are equal, by bytes, so that the order is unique.
  static func isBefore(_ a: String, _ b: String) -> Bool {
    switch a.compare(b, options: [.numeric, .caseInsensitive]) {
    case .orderedAscending: true
    case .orderedDescending: false
    case .orderedSame: a.utf8.lexicographicallyPrecedes(b.utf8)
    }
  }

  /// An `.hae` file of the folder or, as AutoSync stores them, two levels below it.
  private static func firstArchive(_ path: String, _ names: [String]) -> String? {
    if let name = names.sorted().first(where: { $0.lowercased().hasSuffix(".hae") }) { return name }
    guard let walk = FileManager.default.enumerator(atPath: path) else { return nil }
    var seen = 0
    while seen < 10_000, let name = walk.nextObject() as? String {
      seen += 1
      if walk.level > 3 { walk.skipDescendants() }
      if name.lowercased().hasSuffix(".hae") { return name }
    }
    return nil
  }
}
