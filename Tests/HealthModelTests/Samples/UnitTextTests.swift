import Foundation
import StoreTesting
import TestSupport
import Testing

@testable import HealthModel

/// The texts of units (R18).
@Suite(.unit) struct UnitTextTests {
  @Test(
    arguments: [
      ("mmol<180.1558800000541>/L", 5.5, SampleKind.bloodGlucose, 99.085_734),
      ("mmol<180.1558800000541>/l", 5.5, .bloodGlucose, 99.085_734),
      ("mmol/l", 5.5, .bloodGlucose, 99.085_734), ("mg/dl", 99, .bloodGlucose, 99),
      ("umol/mL", 5.5, .bloodGlucose, 99.085_734), ("g/l", 1, .bloodGlucose, 100),
      ("mL/s", 7000, .peakExpiratoryFlowRate, 420), ("l/min", 420, .peakExpiratoryFlowRate, 420),
      ("Pa", 16_000, .bloodPressureSystolic, 120.009_868),
      ("inHg", 4.7, .bloodPressureSystolic, 119.38),
      ("atm", 0.158, .bloodPressureSystolic, 120.08),
      ("cmAq", 163, .bloodPressureSystolic, 119.895_304),
      ("hPa", 160, .bloodPressureSystolic, 120.009_868),
      ("mcmol<1>/L", 1_000_000, .bloodGlucose, 100), ("Mcal", 2, .activeEnergyBurned, nil),
      ("MJ", 4.184, .activeEnergyBurned, 1000), ("nS", 3300, .electrodermalActivity, 3.3),
      ("beats/minute", 60, .heartRate, 60), ("/min", 60, .heartRate, 60),
      ("min^-1", 60, .heartRate, 60),
      ("m·s^-1", 2, .runningSpeed, 7.2), ("ml/kg*min", 41, .vo2Max, 41),
      ("(mL/kg)/min", 41, .vo2Max, 41),
      ("mL / (kg · min)", 41, .vo2Max, 41), ("dam", 3, .distanceCycling, 30),
      ("mm Hg", 120, .bloodPressureSystolic, 120),
    ] as [(String, Double, SampleKind, Double?)])
  func `R18: a unit is read by its grammar`(
    text: String, number: Double, kind: SampleKind, expected: Double?
  ) {
    let counted = PayloadUnit(text)?.counted(number, as: kind)?.roundedToMillionths
    if let expected, let counted {
      #expect(abs(counted - expected) < 0.002)
    } else {
      #expect(counted == expected)
    }
  }

  @Test(arguments: [
    "", "?", "furlong", "CAL", "mmol<>/L", "mmol<180", "mmol<-1>/L", "g<5>", "m^0", "m^99", "kg/",
    "(m", "m)", "kmin", "klb", "mdegC", "degC/s", "m//s", "·m", "((((((m))))))",
    String(repeating: "m·", count: 100) + "m",
  ])
  func `R18: what is not a unit is not guessed`(text: String) {
    #expect(UnitReading(text) == nil)
  }

  @Test func `R18: a sample of a stream and a payload read a unit alike`() throws {
    for text in ["inHg", "mmol<180.1558800000541>/L", "kPa"] {
      let form = try TypedSample.Form(
        type: "HKQuantityTypeIdentifierBloodGlucose", unit: text)
      let sample = TypedSample(
        form, value: 2, source: "", hardware: "", isUserEntered: false, start: 0, end: 0)
      #expect(
        sample.kind.counted(sample.value, in: sample.unit)
          == PayloadUnit(text)?.counted(2, as: .bloodGlucose))
    }
  }
}

/// Units against those of pint (`Tests/Peers/health_units.py`).
@Suite(.process) struct UnitPeerTests {
  private struct Answer: Decodable {
    let units: [String]
    let pairs: [Row]
    let sizes: [Row]
  }

  /// Two units, and numbers of them.
  private struct Row: Decodable {
    let from: String
    let to: String
    var numbers: [Double] = []

    init(from decoder: any Decoder) throws {
      var row = try decoder.unkeyedContainer()
      (from, to) = (try row.decode(String.self), try row.decode(String.self))
      while !row.isAtEnd { numbers.append(try row.decode(Double.self)) }
    }
  }

  @Test func `R18, R56: every unit has pint's size, and converts into those that pint says alone`()
    async throws
  {
    let answer = try JSONDecoder().decode(
      Answer.self, from: Data(await PeerPython.run("health_units.py")))
    #expect(
      Set(answer.units)
        == Set(SampleUnit.allCases.map(\.rawValue)).subtracting(["", SampleUnit.unknown.rawValue]))
    var faults: [String] = []
    for pair in answer.pairs {
      let (from, to) = (SampleUnit(rawValue: pair.from), SampleUnit(rawValue: pair.to))
      let own = to.flatMap { from?.convert(pair.numbers[0], to: $0) }
      if let own, abs(own - pair.numbers[1]) <= 1e-9 * max(1, abs(pair.numbers[1])) { continue }
      faults.append("\(pair) is not \(own as Any)")
    }
    for size in answer.sizes {
      let base = try #require(UnitExpression(size.to))
      let own = UnitExpression(size.from)?.ratio(to: base)
      if let own, abs(own / size.numbers[0] - 1) < 1e-9 { continue }
      faults.append("\(size) is not \(own as Any)")
    }
    #expect(faults.prefix(5) == [])
    let convertible = Set(answer.pairs.map { "\($0.from) \($0.to)" })
    for from in SampleUnit.allCases {
      for to in SampleUnit.allCases where from.convert(1, to: to) != nil {
        #expect(convertible.contains("\(from.rawValue) \(to.rawValue)"))
      }
    }
    // No name of ours is left out.
    let texts = answer.sizes.map(\.from)
    for name in UnitNames.units.keys where name != "mol" { #expect(texts.contains(name)) }
  }

  @Test func `R18: HealthKit's spelling of each unit is known, and those of other writers`() {
    for unit in SampleUnit.allCases where unit != .none && unit != .unknown {
      #expect(SampleUnit(spelling: unit.rawValue) == unit)
    }
    let others: [(String, SampleUnit?)] = [
      ("Cal", .largeCalorie), ("cal", .smallCalorie), ("bpm", .countPerMinute),
      ("ml/(kg·min)", .oxygenUptake), ("kcal/(kg·hr)", .physicalEffort),
      ("km/h", .kilometrePerHour),
      ("", nil), ("?", nil), ("furlong", nil), ("CAL", nil),
    ]
    for (spelling, unit) in others { #expect(SampleUnit(spelling: spelling) == unit) }
  }

  @Test func `R18: each unit of samples is what its name says`() {
    for unit in SampleUnit.allCases {
      guard let own = UnitExpression(unit.rawValue) else { continue }
      for other in SampleUnit.allCases {
        guard let expected = UnitExpression(other.rawValue).flatMap({ own.ratio(to: $0) }) else {
          continue
        }
        let factor = unit.factor(to: other)
        #expect(factor.map { abs($0 / expected - 1) < 1e-12 } == true, "\(unit) \(other)")
      }
    }
  }
}
