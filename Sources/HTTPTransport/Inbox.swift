import HTTPMessage

/// What senders tell the loop's thread, and what they must know of it; guarded by the loop's mutex.
struct Inbox {
  enum Message {
    case submit(Transfer)
    case cancel(Transfer)
    /// A step of a task that prefers the loop's thread.
    case job(UnownedJob, UnownedTaskExecutor)
  }

  enum Phase {
    /// No request yet, so no thread.
    case fresh
    case running
    case stopping
    case stopped
  }

  var phase = Phase.fresh
  var messages: [Message] = []
  /// The thread waits or is about to: the next message must wake it.
  var isAsleep = false

  /// Adds a message; true if the thread must be woken for it.
  mutating func post(_ message: Message) -> Bool {
    messages.append(message)
    return wakes()
  }

  /// Asks the thread to end; true if it must be woken for it.
  mutating func stop() -> Bool {
    switch phase {
    case .fresh: phase = .stopped
    case .running: phase = .stopping
    case .stopping, .stopped: break
    }
    return wakes()
  }

  /// Everything said since the last call.
  mutating func take() -> [Message] {
    wakeUp()
    defer { messages.removeAll() }
    return messages
  }

  /// True if nothing is to be done, so that the thread may wait.
  mutating func fallAsleep() -> Bool {
    isAsleep = messages.isEmpty && phase == .running
    return isAsleep
  }

  /// The thread waits no longer.
  mutating func wakeUp() { isAsleep = false }

  private mutating func wakes() -> Bool {
    defer { isAsleep = false }
    return isAsleep
  }
}
