import Foundation

/// Something in a store that is neither a file nor a folder, so that it is not known which objects
/// it hides. Reads fail instead of hiding objects (R29).
enum Obstacle {
  case link
  /// A pipe, socket or device.
  case special
  /// A file or folder whose content a cloud drive has not downloaded.
  case notDownloaded

  /// Nil for anything that can be read.
  init?(_ status: FileStatus) {
    switch status.kind {
    case .link: self = .link
    case .other: self = .special
    case .file, .folder:
      guard status.isDataless else { return nil }
      self = .notDownloaded
    }
  }

  /// The error for something with this path below the store's root.
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
        .unreadable, "\(place) is a pipe or device where an object should be", key: key,
        remedy: "move it out of the store")
    case .notDownloaded:
      return StoreError(
        .unreadable, "\(place) is not downloaded yet", key: key,
        remedy: "have the cloud drive download it (Finder: Download Now)",
        isRetryable: true)
    }
  }
}

/// The small hidden file with which older cloud drives replace a file that they have evicted:
/// `.NAME.icloud`.
package enum Placeholder {
  private static let suffix = ".icloud"

  /// The placeholder of a file.
  package static func name(of file: String) -> String { ".\(file)\(suffix)" }

  /// The file that a placeholder stands for; nil if the name is not that of a placeholder.
  package static func file(_ name: String) -> String? {
    guard name.utf8.first == UInt8(ascii: "."), name.hasSuffix(suffix),
      name.utf8.count > suffix.utf8.count + 1
    else { return nil }
    return String(name.dropFirst().dropLast(suffix.count))
  }
}

extension Descriptor {
  /// True if a file or folder of this name was evicted from this folder.
  func hasPlaceholder(of name: String) throws(SystemFailure) -> Bool {
    let placeholder = Placeholder.name(of: name)
    guard placeholder.utf8.count <= 255 else { return false }
    return try status(of: placeholder) != nil
  }
}
