package import HealthModel

extension LeftOut {
  /// The reason, for people.
  package var sentence: String {
    switch self {
    case .date: "dated before 1900 or after 2199"
    case .endsBeforeStart: "it ends before it begins"
    case .tooLong: "it spans more than 31 days"
    case .value: "a value below 0 or more than a day can hold"
    case .afterExport: "sleep that ends after the export was made"
    case .duplicate: "the same record again"
    case .unit: "a unit that can't be converted"
    case .category: "a value that is not known"
    case .unpaired: "systolic blood pressure without diastolic, or the reverse"
    case .workoutUnit: "a number of a workout in a unit that can't be converted"
    case .workoutNumber: "a number of a workout that is below 0 or not a number"
    case .tooManyWorkouts: "more workouts than can be kept"
    }
  }
}
