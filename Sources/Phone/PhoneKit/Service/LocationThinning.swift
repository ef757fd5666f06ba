import HealthStreams

/// Which of a phone's points are taken: one every 10 seconds. Pure.
public struct LocationThinning: Hashable, Sendable {
  private var last: Int?

  /// Nothing was taken yet.
  public init() {}

  /// Whether a point is taken. If the clock was set back, it starts again.
  ///
  /// - Parameter milliseconds: when the point was measured, since any fixed moment.
  public mutating func takes(at milliseconds: Int) -> Bool {
    if let last, milliseconds >= last, milliseconds - last < LocationSampling.interval * 1000 {
      return false
    }
    last = milliseconds
    return true
  }
}

/// Two recorders that take turns, so that each piece of 30 s shares 2 s with the one before it. Pure.
public struct AudioTurns: Hashable, Sendable {
  /// What to do.
  public enum Action: Hashable, Sendable {
    /// Begin to record into this piece.
    case open(piece: Int)
    /// End this piece and hand it in. Times are in milliseconds, as they were given.
    case close(piece: Int, AudioPiece)
  }

  /// A piece that was recorded.
  public struct AudioPiece: Hashable, Sendable {
    /// When it begins.
    public let start: Int
    /// When it ends.
    public let end: Int
    /// How much of its beginning the piece before it holds as well.
    public let overlap: Int
  }

  private struct Open: Hashable {
    let piece: Int
    let start: Int
    var overlap = 0
  }

  private var open: [Open] = []
  private var next = 0
  private static let length = AudioSampling.chunkLength * 1000
  private static let step = (AudioSampling.chunkLength - AudioSampling.chunkOverlap) * 1000

  /// Nothing is recorded.
  public init() {}

  /// Recording began.
  public mutating func began(at now: Int) -> [Action] {
    guard open.isEmpty else { return [] }
    return [begin(now)]
  }

  /// Time has passed; call it each second.
  public mutating func tick(at now: Int) -> [Action] {
    guard let newest = open.last else { return [] }
    // A clock that was set back: what is open ends where it began, and recording begins anew.
    guard now >= newest.start else { return ended(at: newest.start) + [begin(now)] }
    // The clock was set forward, or the phone slept: the open piece ends where it should have ended.
    guard now - newest.start <= Self.length + Self.step else {
      return ended(at: newest.start + Self.length) + [begin(now)]
    }
    var actions: [Action] = []
    if now - newest.start >= Self.step, open.count == 1 { actions.append(begin(now)) }
    if let oldest = open.first, open.count > 1, now - oldest.start >= Self.length {
      actions.append(close(at: now))
    }
    return actions
  }

  /// Recording ended: by the person, or by a call.
  public mutating func ended(at now: Int) -> [Action] {
    var actions: [Action] = []
    while let first = open.first { actions.append(close(at: max(now, first.start))) }
    return actions
  }

  private mutating func begin(_ now: Int) -> Action {
    open.append(Open(piece: next, start: now))
    next += 1
    return .open(piece: next - 1)
  }

  private mutating func close(at now: Int) -> Action {
    let closed = open.removeFirst()
    if !open.isEmpty { open[0].overlap = now - open[0].start }
    return .close(
      piece: closed.piece, AudioPiece(start: closed.start, end: now, overlap: closed.overlap))
  }
}
