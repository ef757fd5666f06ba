import Foundation

/// What stands in a store where only files and folders may, so that nobody can say which objects
/// there are: it makes reads fail instead of hiding something (R29).
enum Obstacle {
  case link
  /// A pipe, socket or device.
  case special
  /// A file or folder whose content a cloud drive keeps elsewhere for now.
  case notDownloaded

  /// Nil for what can be read.
  init?(_ status: FileStatus) {
    switch status.kind {
    case .link: self = .link
    case .other: self = .special
    case .file, .folder:
      guard status.isDataless else { return nil }
      self = .notDownloaded
    }
  }

  /// The failure, for what has this path from the store's root.
  func error(_ path: String, in root: String, key: String? = nil) -> StoreError {
    let place = "\(root)/\(path)"
    switch self {
    case .link:
      return StoreError(
        .unreadable,
        "\(place) is a symbolic link, and symbolic links inside a store are not followed",
        key: key, remedy: "put the real file or folder there")
    case .special:
      return StoreError(
        .unreadable, "\(place) is a pipe or device in the place of an object", key: key,
        remedy: "move it out of the store")
    case .notDownloaded:
      return StoreError(
        .unreadable, "\(place) is not downloaded yet", key: key,
        remedy: "have the cloud drive download it (Finder: Download Now)",
        isRetryable: true)
    }
  }
}

/// The small hidden file that older cloud drives leave in the place of a file that they have
/// evicted: `.NAME.icloud`.
enum Placeholder {
  private static let suffix = ".icloud"

  /// The placeholder of a file.
  static func name(of file: String) -> String { ".\(file)\(suffix)" }

  /// The file that a placeholder stands for; nil for another name.
  static func file(_ name: String) -> String? {
    guard name.utf8.first == UInt8(ascii: "."), name.hasSuffix(suffix),
      name.utf8.count > suffix.utf8.count + 1
    else { return nil }
    return String(name.dropFirst().dropLast(suffix.count))
  }
}

extension Descriptor {
  /// True where a file or folder of this name was evicted from this folder.
  func hasPlaceholder(of name: String) throws(SystemFailure) -> Bool {
    let placeholder = Placeholder.name(of: name)
    guard placeholder.utf8.count <= 255 else { return false }
    return try status(of: placeholder) != nil
  }
}
