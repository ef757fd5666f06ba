import Foundation
import HealthLedger
import ObjectStore

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
  /// - Throws: `LedgerError` INVALID_ARGUMENTS if it can't be read, holds `.hae` files, or holds no
  ///   `.json` file.
  init(_ path: String) throws(LedgerError) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw LedgerError(
        .invalidArguments, "the folder \(path) can't be read: \(SystemFailure.reason(of: error))",
        remedy: "check its permissions")
    }
    let visible = names.filter { !$0.hasPrefix(".") }
    func isFile(_ name: String) -> Bool {
      let file = path + "/" + name
      return FileManager.default.fileExists(atPath: file) && !InputFile.isFolder(file)
    }
    if let archive = Self.firstArchive(path, visible) {
      throw LedgerError(
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
      throw LedgerError(
        .invalidArguments, "\(path) holds CSV files, such as \(table), and no .json file",
        remedy: "choose JSON as the format in Health Auto Export, and name the folder again")
    }
    guard !payloads.isEmpty else {
      throw LedgerError(
        .invalidArguments,
        "\(path) is a folder that holds neither Apple Health's export.xml nor a .json file",
        remedy: """
          name export.zip, an unpacked apple_health_export, or a folder of Health Auto Export's \
          JSON files
          """)
    }
    guard payloads.count <= Self.maximumFiles else {
      throw LedgerError(
        .invalidArguments, "\(path) holds more than \(Self.maximumFiles) files",
        remedy: "split the folder")
    }
    files = payloads.sorted(by: Self.isBefore).map { path + "/" + $0 }
    others = visible.filter { !payloads.contains($0) && isFile($0) }.sorted()
  }

  /// By the numbers in the names; if those are equal, by bytes, so that the order is unique.
  static func isBefore(_ a: String, _ b: String) -> Bool {
    let (one, other) = (parts(of: a), parts(of: b))
    if one != other { return one.lexicographicallyPrecedes(other) }
    return a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  /// A name in small letters, each run of digits as one number.
  private static func parts(of name: String) -> [Part] {
    var parts: [Part] = []
    var rest = name.lowercased().unicodeScalars[...]
    while let scalar = rest.first {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      if digits.isEmpty {
        parts.append(.other(scalar))
        rest.removeFirst()
      } else {
        parts.append(.number(String(digits.drop { $0 == "0" })))
        rest = rest[digits.endIndex...]
      }
    }
    return parts
  }

  /// A run of digits without leading zeros, or any other character.
  private enum Part: Comparable {
    case number(String)
    case other(Unicode.Scalar)

    static func < (a: Part, b: Part) -> Bool {
      switch (a, b) {
      case (.number(let a), .number(let b)):
        (a.utf8.count, a) < (b.utf8.count, b)
      case (.number, .other(let scalar)): "0" < scalar
      case (.other(let scalar), .number): scalar < "0"
      case (.other(let a), .other(let b)): a < b
      }
    }
  }

  /// An `.hae` file of the folder or, as AutoSync stores them, two levels below it.
  private static func firstArchive(_ path: String, _ names: [String]) -> String? {
    if let name = names.sorted().first(where: { $0.lowercased().hasSuffix(".hae") }) { return name }
    var rest = 10_000
    return firstArchive(below: path, levels: 3, looksAt: &rest)
  }

  private static func firstArchive(
    below path: String, levels: Int, looksAt rest: inout Int
  ) -> String? {
    // Fails for what is not a folder.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names.sorted() where rest > 0 {
      rest -= 1
      if name.lowercased().hasSuffix(".hae") { return name }
      guard levels > 0 else { continue }
      let found = firstArchive(below: path + "/" + name, levels: levels - 1, looksAt: &rest)
      if let found { return name + "/" + found }
    }
    return nil
  }
}
