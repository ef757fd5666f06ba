import HealthModel

extension MetricGroup {
  /// The class that gives a group its hue: activity, heart, sleep, body, nutrition or other.
  var domain: String {
    switch self {
    case .activity, .walking: "activity"
    case .heart, .vitals: "heart"
    case .sleep: "sleep"
    case .body: "body"
    case .nutrition: "nutrition"
    case .surroundings: "other"
    }
  }
}
