import CCurl
import Foundation
import Testing

@testable import CurlTransport

/// What the loop's thread sleeps on. Pipes stand for sockets: poll makes no difference.
@Suite(.unit) struct WatchedSocketsTests {
  private final class Bell {
    let ends = s3h_bell_make()
    deinit { s3h_bell_close(ends) }
  }

  private let bell = Bell()

  @Test func `bytes to read and room to write are reported, each only where it is wanted`() {
    var sockets = WatchedSockets(bell.ends)
    let pipe = Pipe()
    let (reader, writer) = (
      pipe.fileHandleForReading.fileDescriptor, pipe.fileHandleForWriting.fileDescriptor
    )
    sockets.watch(reader, for: CURL_POLL_IN)
    #expect(sockets.wait(milliseconds: 0).isEmpty)

    pipe.fileHandleForWriting.write(Data([1]))
    sockets.watch(writer, for: CURL_POLL_OUT)
    let ready = sockets.wait(milliseconds: 10_000)
    #expect(Set(ready.map(\.socket)) == [reader, writer])
    #expect(ready.first { $0.socket == reader }?.bits == CURL_CSELECT_IN)
    #expect(ready.first { $0.socket == writer }?.bits == CURL_CSELECT_OUT)

    sockets.watch(writer, for: CURL_POLL_NONE)
    #expect(sockets.wait(milliseconds: 0).map(\.socket) == [reader])
  }

  @Test func `a socket that is given up is reported no more, and the others still are`() {
    var sockets = WatchedSockets(bell.ends)
    let pipes = (0..<5).map { _ in Pipe() }
    let readers = pipes.map(\.fileHandleForReading.fileDescriptor)
    for (pipe, reader) in zip(pipes, readers) {
      sockets.watch(reader, for: CURL_POLL_IN)
      pipe.fileHandleForWriting.write(Data([1]))
    }
    for gone in [readers[0], readers[4], readers[2]] {
      sockets.watch(gone, for: CURL_POLL_REMOVE)
      #expect(!sockets.isWatched(gone))
    }
    #expect(sockets.isWatched(readers[1]) && sockets.isWatched(readers[3]))
    #expect(Set(sockets.wait(milliseconds: 10_000).map(\.socket)) == [readers[1], readers[3]])
  }

  @Test func `a far end that hung up is reported, so that its rest is read`() throws {
    var sockets = WatchedSockets(bell.ends)
    let pipe = Pipe()
    sockets.watch(pipe.fileHandleForReading.fileDescriptor, for: CURL_POLL_IN)
    try pipe.fileHandleForWriting.close()
    #expect(sockets.wait(milliseconds: 10_000).map(\.bits) == [CURL_CSELECT_IN])
  }

  @Test func `the bell ends a wait, once however often it rang`() async {
    var sockets = WatchedSockets(bell.ends)
    let ends = bell.ends
    let rung = Task.detached {
      try await Task.sleep(for: .milliseconds(20))
      for _ in 0..<100_000 { s3h_bell_ring(ends) }
    }
    // Without the bell this waits for a day.
    #expect(sockets.wait(milliseconds: 86_400_000).isEmpty)
    _ = await rung.result
    #expect(sockets.wait(milliseconds: 0).isEmpty)

    let pipe = Pipe()
    sockets.watch(pipe.fileHandleForReading.fileDescriptor, for: CURL_POLL_IN)
    pipe.fileHandleForWriting.write(Data([1]))
    #expect(sockets.wait(milliseconds: 0).count == 1)
  }
}
