import CZlib

/// Unpacks one entry of a zip into buffers, as a stream.
///
/// `@unchecked`: one thread uses it at a time; the one that opens it hands it on and keeps nothing.
final class EntryUnpacker: @unchecked Sendable {
  let entry: ZipEntry
  let path: String
  private let packed: PackedBytes
  /// zlib keeps the address of its stream, so it stays in one place: raw memory and no property.
  private let stream: UnsafeMutablePointer<z_stream>?
  private(set) var isAtEnd = false
  /// Bytes unpacked so far.
  private(set) var unpacked: Int64 = 0
  private let packedAtStart: Int64

  /// Packed bytes of the file that were read so far.
  var packedBytes: Int64 { packed.taken }

  init(_ entry: ZipEntry, _ packed: PackedBytes, path: String) throws(ExportError) {
    (self.entry, self.packed, self.path) = (entry, packed, path)
    packedAtStart = packed.taken
    guard !entry.isEncrypted else {
      throw ExportError(
        .encrypted, "the zip is encrypted", path: path, entry: entry.name,
        remedy: "unpack it with its password and name the export.xml")
    }
    switch entry.method {
    case .deflated:
      let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
      guard s3h_inflate_begin(stream) == Z_OK else {
        stream.deallocate()
        throw ExportError(
          .unreadable, "zlib can't begin", path: path, entry: entry.name,
          remedy: "close other programs and try again")
      }
      self.stream = stream
    case .stored: stream = nil
    default:
      throw ExportError(
        .unsupported, "the zip is packed by a method that is not known here", path: path,
        entry: entry.name, remedy: "unpack it and name the export.xml")
    }
  }

  deinit {
    if let stream {
      inflateEnd(stream)
      stream.deallocate()
    }
  }

  /// Unpacks until the buffer is full or the entry ends; 0 only at the end.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    var filled = 0
    while filled < buffer.count, !isAtEnd {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = stream == nil ? try copy(into: room) : try inflate(into: room)
      filled += count
      unpacked += Int64(count)
    }
    try refuseAbsurd()
    return filled
  }

  private func copy(into room: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    let available = try packed.available()
    let rest = entry.size - unpacked
    let count = Int(min(Int64(min(available.count, room.count)), rest))
    if rest == 0 {
      isAtEnd = true
    } else if count == 0 {
      throw cutShort
    }
    room.copyMemory(from: UnsafeRawBufferPointer(rebasing: available[..<count]))
    packed.take(count)
    return count
  }

  private func inflate(into room: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
    guard let stream else { return 0 }
    let available = try packed.available()
    // zlib only reads its input, though its type does not say so.
    let input = available.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) }
    stream.pointee.next_in = input?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_in = uInt(available.count)
    stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_out = uInt(room.count)
    let status = s3h_inflate(stream)
    let count = room.count - Int(stream.pointee.avail_out)
    packed.take(available.count - Int(stream.pointee.avail_in))
    switch status {
    case Z_STREAM_END: isAtEnd = true
    case Z_OK: break
    case Z_BUF_ERROR where available.isEmpty: throw cutShort
    default:
      throw ExportError(
        .corrupt, "the packed data is damaged", path: path, entry: entry.name,
        remedy: "copy the file again, or export it again in the Health app")
    }
    return count
  }

  /// An export packs to a tenth or a thirtieth; what unpacks to 200 times itself is made to.
  private func refuseAbsurd() throws(ExportError) {
    let packed = packed.taken - packedAtStart
    guard unpacked > Self.unsuspected, unpacked / 200 > packed else { return }
    throw ExportError(
      .absurd, "the zip unpacks to more than 200 times its size, as no export does", path: path,
      entry: entry.name, remedy: "name the export.zip that the Health app made")
  }

  private static var unsuspected: Int64 { 256 << 20 }

  /// The first bytes of the entry, as many as show whether it is an export.
  func start() throws(ExportError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: ExportSignature.length, alignment: 16)
    defer { buffer.deallocate() }
    let count = try fill(buffer)
    return Array(buffer[..<count])
  }

  private var cutShort: ExportError {
    ExportError(
      .truncated, "the zip ends before its data", path: path, entry: entry.name,
      remedy: "copy the whole file again, or export it again in the Health app")
  }
}

/// The packed bytes of an entry, through one buffer.
final class PackedBytes {
  private let file: OpenFile
  /// Where the next bytes are read.
  private var offset: Int64
  /// Bytes that may still be read.
  private var rest: Int64
  /// Raw memory, because `pread(2)` fills it and zlib reads it.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 4096)
  private var start = 0
  private var end = 0
  /// Bytes taken so far.
  private(set) var taken: Int64 = 0

  /// The bytes of a file from a place on.
  init(_ file: OpenFile, offset: Int64, count: Int64) {
    (self.file, self.offset, self.rest) = (file, offset, count)
  }

  deinit { buffer.deallocate() }

  /// What can be taken now; empty at the end.
  func available() throws(ExportError) -> UnsafeRawBufferPointer {
    if start == end { try fill() }
    return UnsafeRawBufferPointer(rebasing: buffer[start..<end])
  }

  /// Takes the first of the available bytes.
  func take(_ count: Int) {
    start += count
    taken += Int64(count)
  }

  private func fill() throws(ExportError) {
    let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(rest, 1 << 17))])
    start = 0
    end = room.isEmpty ? 0 : try file.read(into: room, at: offset)
    offset += Int64(end)
    rest -= Int64(end)
  }
}

/// Where the data of entries lies.
extension OpenFile {
  /// What unpacks an entry of the directory from its beginning.
  func unpacker(of entry: ZipEntry, size: Int64) throws(ExportError) -> EntryUnpacker {
    let packedSize = entry.packedSize
    guard entry.offset >= 0, packedSize >= 0,
      entry.offset <= size - Int64(ZipEntry.localHeaderLength)
    else { throw ZipDirectory.damaged(path) }
    let head = try bytes(at: entry.offset, count: ZipEntry.localHeaderLength)
    guard head.signature(0) == .localHeader, let name = head.short(26), let extra = head.short(28)
    else { throw ZipDirectory.damaged(path) }
    let start = entry.offset + Int64(ZipEntry.localHeaderLength + name + extra)
    guard packedSize <= size - start else { throw ZipDirectory.damaged(path) }
    let packed = PackedBytes(self, offset: start, count: packedSize)
    return try EntryUnpacker(entry, packed, path: path)
  }
}
