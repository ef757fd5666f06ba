/// How the samples of a day become one number.
public enum DailyAggregation: Hashable, Sendable {
  /// Their sum; what several devices saw at once counts once.
  case sum
  /// Their plain sum: people enter one meal after another.
  case entries
  /// Their mean.
  case mean
  /// The least of them.
  case least
  /// The greatest of them.
  case greatest
  /// Their mean as levels of sound: of the energy, weighted by time.
  case level
  /// The distinct hours of the clock.
  case hours
  /// The length of the union of their times.
  case duration
  /// The same of a part of the night that ends on the day.
  case night(NightPart)
}

/// What of a night counts.
public enum NightPart: Hashable, Sendable {
  /// Asleep, in whatever stage.
  case asleep
  /// What samples of one value say.
  case value(SleepValue)
}
