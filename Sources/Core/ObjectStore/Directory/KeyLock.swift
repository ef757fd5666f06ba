import Foundation

/// A lock, among all processes, for replacing or removing the object under a key. It ends with its
/// scope, and when the process ends in any way.
struct KeyLock: ~Copyable {
  private let file: Descriptor

  /// Waits for the lock.
  ///
  /// Polls instead of blocking, so that a caller that is cancelled or out of time can stop waiting
  /// when the lock's holder hangs.
  static func acquire(
    _ key: ObjectKey, in folder: borrowing Descriptor, patience: Duration,
    _ cancellation: Cancellation
  ) throws -> KeyLock {
    let name = stripe(of: key)
    let deadline = ContinuousClock.now + patience
    var pause: UInt32 = 100
    while true {
      let file = try folder.file(name, creating: .ifMissing)
      while try !file.lock() {
        try cancellation.check()
        guard ContinuousClock.now < deadline else {
          throw StoreError(
            .unavailable, "another program holds the lock on this object", key: key.rawValue,
            remedy: "end the program that hangs, then try again", isRetryable: true)
        }
        usleep(UInt32.random(in: pause / 2...pause))
        pause = min(pause * 2, 8000)
      }
      // If another process has removed the lock file meanwhile, others lock a new one.
      if try folder.status(of: name)?.identity == file.status().identity {
        return KeyLock(file: file)
      }
    }
  }

  /// Runs `work` while the lock is held.
  borrowing func held<Value>(_ work: () throws -> Value) throws -> Value { try work() }

  /// One of 64 files, the same in every process: few enough to keep, and enough that keys seldom
  /// share one.
  private static func stripe(of key: ObjectKey) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in key.rawValue.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String((hash ^ hash >> 32) % 64)
  }
}

extension Descriptor {
  /// Takes the lock of this open file; false if another open file has it.
  func lock() throws(SystemFailure) -> Bool {
    do throws(SystemFailure) {
      try check("locking") { flock(number, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      guard error.number == EWOULDBLOCK else { throw error }
      return false
    }
  }
}

/// Tests on a file of its own whether locks and links work.
struct LockProbe {
  let options: DirectoryOptions

  /// - Parameter folder: opens the folder for that file.
  func run(in folder: () throws -> Descriptor) throws -> ConditionalWrites {
    for _ in 0..<100 {
      let file = try TemporaryFile.write([], in: folder())
      do throws(SystemFailure) {
        if options.usesLocks, try file.excludesOthers() { return .compareAndSwap }
      } catch {
        guard error.number == ENOENT else { throw error }
        continue
      }
      return options.usesHardLinks && file.canBeLinked() ? .createOnly : .unsafe
    }
    throw SystemFailure("locking", number: EAGAIN)
  }
}
