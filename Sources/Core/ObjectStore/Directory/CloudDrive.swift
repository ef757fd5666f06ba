import Foundation

/// Where macOS keeps the containers of iCloud Drive.
public enum CloudDrive {
  private static let folder = "Library/Mobile Documents"

  /// The `Documents` folder of an app's iCloud container, such as `iCloud.org.example.health`,
  /// below a user's home folder; nil if `name` can't be the name of a container.
  public static func documents(ofContainer name: String, home: String) -> String? {
    let isName =
      (1...200).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: ".")
      && name.unicodeScalars.allSatisfy {
        $0.isASCII
          && ($0.properties.isAlphabetic || ("0"..."9").contains($0)
            || "._-~".unicodeScalars.contains($0))
      }
    guard isName else { return nil }
    // The system writes the dots of the name as tildes.
    let spelled = name.map { $0 == "." ? "~" : String($0) }.joined()
    return "\(home)/\(folder)/\(spelled)/Documents"
  }

  /// Whether a folder is in a container, after following links.
  public static func contains(_ path: String) -> Bool {
    guard let real = realpath(path, nil) else { return isInside(path) }
    defer { free(real) }
    return isInside(String(cString: real))
  }

  private static func isInside(_ path: String) -> Bool {
    path.firstRange(of: "/\(folder)/") != nil
  }
}
