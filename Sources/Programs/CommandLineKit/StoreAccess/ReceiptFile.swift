import Foundation
import HealthModel
package import HealthStreams
import ObjectStore

extension StoreSettings {
  /// The clock of what is received into streams, in one order with the other programs of this user on
  /// this machine, and after a restart (R46).
  package func receiptClock() -> ReceiptClock {
    let folder = directories.data
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    guard let file = ReceiptFile(folder + "/receipts") else {
      StandardStreams.remark(
        "warning: \(folder)/receipts can't be written, so after a restart the order of what is "
          + "received is that of this machine's clock")
      return ReceiptClock()
    }
    return ReceiptClock(sharing: { file.pass($0) })
  }
}

/// Keeps the order of receipts, wherever the clock stands (R46): a file with the last moment, which
/// programs take turns to change.
private final class ReceiptFile: Sendable {
  private let file: LockFile
  private static let width = 20

  /// Nil if the file can't be opened.
  init?(_ path: String) {
    do throws(SystemFailure) {
      file = try LockFile(path)
    } catch {
      return nil
    }
  }

  /// A moment not before the one given, and later than all before it. Where the file can't be read or
  /// written any more, the one given.
  func pass(_ moment: PreciseMoment) -> PreciseMoment {
    do throws(SystemFailure) {
      try file.wait()
    } catch {
      return moment
    }
    defer { file.release() }
    let descriptor = file.number
    var bytes = [UInt8](repeating: 0, count: Self.width)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    let digits = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let last = count == Self.width ? Int(digits) : nil
    let next = max(moment.microseconds, (last ?? .min / 2) + 1)
    let text = String(next)
    let padded = Array((String(repeating: "0", count: Self.width - text.utf8.count) + text).utf8)
    _ = padded.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    return PreciseMoment(microseconds: next)
  }
}
