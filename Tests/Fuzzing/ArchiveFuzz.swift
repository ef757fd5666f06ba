import Glibc
import HealthModel

/// One input of libFuzzer: a file of these bytes is opened and read as an export, a zip mostly.
///
/// Whatever it is, the reading ends, with an `ExportError` or with a whole export.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzArchive(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // In memory, and one for the whole run.
  let path = "/dev/shm/s3health-fuzz-\(getpid())"
  let file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
  guard file >= 0, write(file, start, count) == count else { fatalError("can't write \(path)") }
  close(file)
  var sink = Nothing()
  do {
    _ = try ExportReader(path: path).read(into: &sink)
  } catch is ExportError {
    return 0
  } catch {
    fatalError("another error: \(error)")
  }
  return 0
}

private struct Nothing: ExportSink {
  mutating func take(_ finding: ExportFinding) {}
}
