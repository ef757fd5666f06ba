/// The record types of an Apple Health export that the daily table counts; all others are skipped.
///
/// The raw value of each identifier stands in an export as `HKQuantityTypeIdentifier` or
/// `HKCategoryTypeIdentifier` and the name here, its first letter in upper case.
package enum SampleKind: UInt8, CaseIterable, Hashable, Sendable {
  case stepCount
  case activeEnergyBurned
  case appleExerciseTime
  case appleMoveTime
  case appleStandHour
  case restingHeartRate
  case heartRateVariabilitySDNN
  case sleepAnalysis
  case heartRate
  case walkingHeartRateAverage
  case distanceWalkingRunning
  case runningSpeed
  case bodyMass
  case leanBodyMass
  case bodyFatPercentage
  case bodyMassIndex
  case waistCircumference
  case vo2Max
  case dietaryEnergyConsumed
  case dietaryCarbohydrates
  case dietaryProtein
  case dietaryFatTotal
  case dietaryFiber
  case mindfulSession
}
