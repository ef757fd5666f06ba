import Foundation
import PhoneKit
import Testing

#if canImport(TestSupport)
  import TestSupport
#endif

/// What decides for the sensors.
@Suite(.unit) struct SensorTests {
  @Test func `a point is taken every ten seconds, whatever the phone gives`() {
    var thinning = LocationThinning()
    let taken = (0...100).map { $0 * 1000 }.filter { thinning.takes(at: $0) }
    #expect(taken == [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map { $0 * 1000 })
    // A clock that was set back a day does not stop the stream for a day.
    #expect(thinning.takes(at: -86_400_000) && !thinning.takes(at: -86_399_000))
  }

  @Test func `pieces of 30 s share 2 s with the one before, and a call ends both`() {
    var turns = AudioTurns()
    var pieces: [AudioTurns.AudioPiece] = []
    var open: Set<Int> = []
    func take(_ actions: [AudioTurns.Action]) {
      for action in actions {
        switch action {
        case .open(let piece): #expect(open.insert(piece).inserted)
        case .close(let piece, let recorded):
          #expect(open.remove(piece) != nil)
          pieces.append(recorded)
        }
        #expect(open.count <= 2)
      }
    }
    take(turns.began(at: 0))
    take(turns.began(at: 0))
    for second in 1...117 { take(turns.tick(at: second * 1000)) }
    #expect(pieces.map(\.start) == [0, 28_000, 56_000, 84_000])
    #expect(pieces.map(\.end) == [30_000, 58_000, 86_000, 114_000])
    #expect(pieces.map(\.overlap) == [0, 2000, 2000, 2000])
    take(turns.ended(at: 117_000))
    #expect(open.isEmpty && pieces.count == 5)
    #expect(pieces.last?.start == 112_000 && pieces.last?.end == 117_000)
    #expect(turns.tick(at: 118_000) == [] && turns.ended(at: 119_000) == [])
    // After the call it begins without a shared stretch; a clock that goes back cuts.
    take(turns.began(at: 200_000))
    take(turns.tick(at: 100_000))
    #expect(pieces.last?.start == 200_000 && pieces.last?.end == 200_000)
    take(turns.ended(at: 105_000))
    #expect(pieces.last?.overlap == 0 && pieces.last?.end == 105_000)
  }

  @Test func `moments are written in UTC, to the millisecond`() {
    #expect(
      WireDate.text(Date(timeIntervalSince1970: 1_738_231_200.25)) == "2025-01-30T10:00:00.250Z")
  }

  @Test func `activities have the names of HealthKit`() {
    #expect(WorkoutNames.name(ofActivity: 37) == "Running")
    #expect(WorkoutNames.name(ofActivity: 52) == "Walking")
    #expect(WorkoutNames.name(ofActivity: 57) == "Yoga")
    #expect(WorkoutNames.name(ofActivity: 79) == "Pickleball")
    #expect(WorkoutNames.name(ofActivity: 84) == "UnderwaterDiving")
    #expect(WorkoutNames.name(ofActivity: 0) == "Other")
    #expect(WorkoutNames.name(ofActivity: 3000) == "Other")
  }
}
