import Foundation

/// Writes all of `bytes` to a descriptor, in as many calls as that takes.
///
/// - Returns: nil once all is with the kernel, else the number of the error that kept the rest.
func writeWhole(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 {
      rest = rest.dropFirst(count)
    } else if errno != EINTR {
      return errno
    }
  }
  return nil
}
