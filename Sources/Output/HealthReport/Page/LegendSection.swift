import HealthModel

/// The units and words of the metrics on the page, for a reader who does not know them.
struct LegendSection {
  let groups: [(group: MetricGroup, panels: [MetricPanel])]
  var units = PersonalUnits.stored

  func write(_ html: inout HTMLWriter) {
    let metrics = groups.flatMap { $0.panels.flatMap { $0.series.map(\.metric) } }
    let entries =
      Self.explained(metrics, units)
      + metrics.compactMap { metric in
        metric.explanation.map { (metric.label.capitalisedFirst, $0) }
      }
    guard !entries.isEmpty else { return }
    html.section("words", "Units and words") { html in
      html.element("dl", ["class": "words"]) { html in
        for (word, meaning) in entries {
          html.element("div") { html in
            html.element("dt", text: word)
            html.element("dd", text: meaning)
          }
        }
      }
    }
  }

  /// The units that are not everyday words.
  private static func explained(
    _ metrics: [DailyMetric], _ units: PersonalUnits
  ) -> [(String, String)] {
    let all: [(unit: String, meaning: String)] = [
      ("bpm", "heart beats per minute"),
      ("ms", "milliseconds, thousandths of a second"),
      ("kcal", "kilocalories; 1 kcal is 4.184 kJ"),
      ("mmHg", "millimetres of mercury: pressure, systolic over diastolic"),
      ("mg/dL", "milligrams per decilitre; 18 mg/dL of glucose are 1 mmol/L"),
      ("mL/(kg·min)", "millilitres of oxygen per kilogram of body weight and minute"),
      ("kcal/(h·kg)", "kilocalories per hour and kilogram: effort, close to METs"),
      ("mmol/L", "millimoles per litre; 1 mmol/L of glucose is 18 mg/dL"),
      ("kJ", "kilojoules; 4.184 kJ are 1 kcal"),
      ("dB", "decibels of sound, A-weighted"),
      ("µg", "micrograms, millionths of a gram"),
      ("W", "watts"),
      ("µS", "microsiemens: how well the skin conducts"),
    ]
    let used = Set(metrics.map { units.name(of: $0) })
    return all.filter { used.contains($0.unit) }
  }
}

extension DailyMetric {
  /// What an unusual name means; nil where everybody knows.
  fileprivate var explanation: String? {
    switch self {
    case .activeEnergy: "energy burned by moving, in addition to that at rest"
    case .basalEnergy: "energy burned at rest"
    case .standHours: "hours of the day with at least one minute of standing"
    case .physicalEffort: "energy burned per hour and kilogram of body weight, on average"
    case .workoutEffort: "how hard workouts were, as the person says, from 1 to 10"
    case .estimatedWorkoutEffort: "how hard workouts were, as the watch estimates, from 1 to 10"
    case .runningVerticalOscillation: "how far a runner moves up and down"
    case .runningGroundContactTime: "how long a foot is on the ground at each step of a run"
    case .walkingAsymmetry: "share of steps in which one foot moves faster or slower than the other"
    case .walkingDoubleSupport: "share of a walk with both feet on the ground"
    case .walkingSteadiness: "an estimate of the risk of falling from the gait; more is steadier"
    case .sixMinuteWalk: "estimated distance walked in six minutes"
    case .restingHeartRate: "heart rate while awake and still"
    case .heartRateVariability: "SDNN: how much the time between heart beats varies"
    case .heartRateRecovery: "how far heart rate falls in the first minute after exercise"
    case .atrialFibrillationBurden: "estimated share of the time in atrial fibrillation"
    case .electrodermalActivity: "conductance of the skin, which grows with sweat"
    case .perfusionIndex: "strength of the pulse in a finger"
    case .vo2Max: "estimated greatest oxygen uptake: cardio fitness"
    case .oxygenSaturation: "share of the blood's haemoglobin that carries oxygen (SpO₂)"
    case .forcedVitalCapacity: "air breathed out by force after a deep breath (FVC)"
    case .forcedExpiratoryVolume: "air breathed out in the first second (FEV1)"
    case .peakExpiratoryFlow: "greatest flow of breathing out (PEF)"
    case .sleepAsleep: "time asleep in the night that ends on the day"
    case .sleepInBed: "time in bed in the night that ends on the day"
    case .wristTemperature: "skin temperature of the wrist during sleep"
    case .breathingDisturbances: "an estimate of interruptions of breathing during sleep"
    case .environmentalSound: "level of the sound around the person"
    case .headphoneSound: "level of the sound of headphones"
    case .bodyMassIndex: "weight in kilograms by the square of the height in metres"
    default: nil
    }
  }
}
