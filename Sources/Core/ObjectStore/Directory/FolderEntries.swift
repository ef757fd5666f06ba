import CFolders
import Foundation

/// An entry of a folder. Two entries are equal if the bytes of their names are equal.
struct FolderEntry: Hashable {
  private let bytes: [UInt8]
  let kind: FileStatus.Kind

  init(name: String, kind: FileStatus.Kind) { (bytes, self.kind) = (Array(name.utf8), kind) }

  var name: String { String(decoding: bytes, as: UTF8.self) }
  var isFolder: Bool { kind == .folder }
}

extension Descriptor {
  /// The entries of this folder, unsorted. Names that are not UTF-8 are left out, because no key
  /// has such a name.
  ///
  /// - Parameter wanted: which names to keep; called before the file system is asked for details.
  func entries(
    where wanted: (FolderEntry) -> Bool
  ) throws(SystemFailure) -> Set<FolderEntry> {
    var entries: Set<FolderEntry> = []
    // On some file systems, a file that is replaced while the folder is being read appears twice or
    // not at all. So a folder that has changed is read again. Entries that disappear meanwhile are
    // noticed later.
    for _ in 0..<4 {
      let before = try status().change
      try read(into: &entries, where: wanted)
      if try status().change == before { break }
    }
    return entries
  }

  #if os(Linux)
    /// Asks the kernel directly: the C library would open the folder again, check it and close it.
    private func read(
      into entries: inout Set<FolderEntry>, where wanted: (FolderEntry) -> Bool
    ) throws(SystemFailure) {
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 15, alignment: 8)
      defer { buffer.deallocate() }
      try check("reading a folder") { lseek(number, 0, SEEK_SET) < 0 ? -1 : 0 }
      while let count = try readRecords(into: buffer) {
        var start = 0
        while start < count {
          let length = Int(buffer.loadUnaligned(fromByteOffset: start + 16, as: UInt16.self))
          let type = Int32(buffer[start + 18])
          let bytes = buffer[(start + 19)..<(start + length)].prefix { $0 != 0 }
          start += length
          guard let name = String(validating: bytes, as: UTF8.self), name != ".", name != ".."
          else { continue }
          if let found = try entry(name, type: type, where: wanted) { entries.insert(found) }
        }
      }
    }

    /// How many bytes of entries there are in the buffer; nil at the end.
    private func readRecords(
      into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemFailure) -> Int? {
      do throws(SystemFailure) {
        let count = try check("reading a folder") {
          Int32(clamping: s3h_read_entries(number, buffer.baseAddress, buffer.count))
        }
        return count == 0 ? nil : Int(count)
      } catch {
        // A folder that was removed in the meantime has no entries.
        guard error.number == ENOENT else { throw error }
        return nil
      }
    }
  #else
    private func read(
      into entries: inout Set<FolderEntry>, where wanted: (FolderEntry) -> Bool
    ) throws(SystemFailure) {
      let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
      let copy = try check("reading a folder") { openat(number, ".", flags) }
      guard let stream = fdopendir(copy) else {
        let failure = SystemFailure("reading a folder")
        close(copy)
        throw failure
      }
      defer { closedir(stream) }
      while true {
        errno = 0
        guard let entry = readdir(stream) else {
          if errno != 0 { throw SystemFailure("reading a folder") }
          return
        }
        guard let name = Self.name(of: entry), name != ".", name != ".." else { continue }
        if let found = try self.entry(name, type: Int32(entry.pointee.d_type), where: wanted) {
          entries.insert(found)
        }
      }
    }

    /// Read in place: the entry is shorter than the C type, so it must not be copied.
    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
      guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { return nil }
      let start = UnsafeRawPointer(entry).advanced(by: offset)
      return String(validatingCString: start.assumingMemoryBound(to: CChar.self))
    }
  #endif

  private func entry(
    _ name: String, type: Int32, where wanted: (FolderEntry) -> Bool
  ) throws(SystemFailure) -> FolderEntry? {
    let kind: FileStatus.Kind
    switch type {
    case Int32(DT_REG): kind = .file
    case Int32(DT_DIR): kind = .folder
    case Int32(DT_LNK): kind = .link
    case Int32(DT_UNKNOWN):
      guard let found = try status(of: name)?.kind else { return nil }
      kind = found
    default: kind = .other
    }
    let entry = FolderEntry(name: name, kind: kind)
    return wanted(entry) ? entry : nil
  }
}
