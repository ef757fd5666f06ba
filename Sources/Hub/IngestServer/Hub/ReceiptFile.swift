import Foundation
package import HealthModel
import ObjectStore

/// Keeps the order of receipts for all servers of one user on one machine, and after a restart,
/// wherever the clock stands then (R46): a file with the last moment, which they take turns to change.
package final class ReceiptFile: Sendable {
  private let file: LockFile
  private static let width = 20

  /// Nil if the file can't be opened.
  package init?(_ path: String) {
    do throws(SystemFailure) {
      file = try LockFile(path)
    } catch {
      return nil
    }
  }

  /// A moment not before the one given, and later than all before it. Where the file can't be read or
  /// written any more, the one given.
  package func pass(_ moment: PreciseMoment) -> PreciseMoment {
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
