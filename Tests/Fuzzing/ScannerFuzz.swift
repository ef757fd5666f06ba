/// One input of libFuzzer: the scanner reads it whole and cut into pieces, and must find the same.
///
/// The first byte sets how it is cut, so that the fuzzer can steer it; tags are bounded at 512 bytes,
/// so that inputs of a few kilobytes go over the bound.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzScanner(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let seed = Int(start[0])
  let bytes = UnsafeRawBufferPointer(start: start + 1, count: count - 1)
  let whole = scan(bytes) { _ in bytes.count }
  let pieces = scan(bytes) { index in 1 + (index &* 7 &+ seed) % (1 + seed % 37) }
  guard whole.findings == pieces.findings, whole.recordCount == pieces.recordCount,
    whole.isComplete == pieces.isComplete
  else {
    let differences = pieces.findings.difference(from: whole.findings)
    fatalError("cut into pieces it finds something else: \(differences)")
  }
  return 0
}

/// Scans bytes in pieces of the sizes that a function gives, each in memory of its own, so that the
/// address sanitizer sees a read beyond its end.
func scan(_ bytes: UnsafeRawBufferPointer, pieces size: (Int) -> Int) -> ExportScanner {
  var scanner = ExportScanner(maximumTagBytes: 512)
  var (from, index) = (0, 0)
  while from < bytes.count {
    let count = min(size(index), bytes.count - from)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { piece.deallocate() }
    piece.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[from..<(from + count)]))
    scanner.scan(UnsafeRawBufferPointer(piece))
    from += count
    index += 1
  }
  return scanner
}
