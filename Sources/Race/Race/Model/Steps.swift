// Properties of steps and requests that the rules of the race need.

extension Step.Interference {
  /// Each interference happens once: a client that read an absent pointer can't notice a second
  /// time.
  var bit: UInt8 {
    switch self {
    case .deletePointer: 1
    case .overwritePointer: 2
    case .brokenRevision: 4
    }
  }
}

extension World.Client {
  static let done: Int32 = -2

  var isRunning: Bool { node >= 0 }
}

extension Automata.Request {
  var isWrite: Bool {
    switch self {
    case .create, .writePointer: true
    default: false
    }
  }
}
