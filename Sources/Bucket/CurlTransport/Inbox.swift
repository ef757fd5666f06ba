import HTTPClient

/// Messages to the loop's thread, and its state. The loop's mutex guards it.
struct Inbox {
  enum Message {
    case submit(Transfer)
    case cancel(Transfer)
    /// A step of a task that runs on the loop's thread.
    case job(UnownedJob, UnownedTaskExecutor)
  }

  enum Phase {
    /// There was no request yet, so there is no thread.
    case fresh
    case running
    case stopping
    case stopped
  }

  var phase = Phase.fresh
  var messages: [Message] = []
  /// The thread is waiting or about to wait, so the next message must wake it.
  var isAsleep = false

  /// Adds a message. Returns true if the thread must be woken.
  mutating func post(_ message: Message) -> Bool {
    messages.append(message)
    return wakes()
  }

  /// Asks the thread to end. Returns true if it must be woken.
  mutating func stop() -> Bool {
    switch phase {
    case .fresh: phase = .stopped
    case .running: phase = .stopping
    case .stopping, .stopped: break
    }
    return wakes()
  }

  /// All messages since the last call.
  mutating func take() -> [Message] {
    wakeUp()
    defer { messages.removeAll() }
    return messages
  }

  /// True if there is nothing to do, so that the thread may wait.
  mutating func fallAsleep() -> Bool {
    isAsleep = messages.isEmpty && phase == .running
    return isAsleep
  }

  /// The thread has stopped waiting.
  mutating func wakeUp() { isAsleep = false }

  private mutating func wakes() -> Bool {
    defer { isAsleep = false }
    return isAsleep
  }
}
