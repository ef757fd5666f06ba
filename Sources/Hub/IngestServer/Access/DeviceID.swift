import Foundation

/// The form of a device's id.
package enum DeviceID {
  /// The UUID in lower case; nil if the text is not one.
  package static func lowercased(_ text: String) -> String? {
    guard text.utf8.count == 36 else { return nil }
    return UUID(uuidString: text)?.uuidString.lowercased()
  }

  /// A new one.
  package static func random() -> String { UUID().uuidString.lowercased() }
}
