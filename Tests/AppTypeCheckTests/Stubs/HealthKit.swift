// swift-format-ignore-file
// Of HealthKit what the app uses, as Apple documents it. Only for the type check: nothing here works.
import Foundation

public class HKObjectType: NSObject, @unchecked Sendable {
  public class func quantityType(forIdentifier identifier: HKQuantityTypeIdentifier)
    -> HKQuantityType?
  { nil }
  public class func categoryType(forIdentifier identifier: HKCategoryTypeIdentifier)
    -> HKCategoryType?
  { nil }
  public class func workoutType() -> HKWorkoutType { HKWorkoutType() }
  public var identifier: String { "" }
}
public class HKSampleType: HKObjectType, @unchecked Sendable {}
public class HKQuantityType: HKSampleType, @unchecked Sendable {
  override init() {}
  public convenience init(_ identifier: HKQuantityTypeIdentifier) { self.init() }
}
public class HKCategoryType: HKSampleType, @unchecked Sendable {}
public class HKWorkoutType: HKSampleType, @unchecked Sendable {}

public struct HKQuantityTypeIdentifier: Hashable, RawRepresentable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}
public struct HKCategoryTypeIdentifier: Hashable, RawRepresentable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

public class HKUnit: NSObject, @unchecked Sendable {
  public convenience init(from string: String) { self.init() }
}
public class HKQuantity: NSObject, @unchecked Sendable {
  public func doubleValue(for unit: HKUnit) -> Double { 0 }
}
public class HKStatistics: NSObject, @unchecked Sendable {
  public func sumQuantity() -> HKQuantity? { nil }
  public func averageQuantity() -> HKQuantity? { nil }
  public func maximumQuantity() -> HKQuantity? { nil }
}
public class HKSource: NSObject, @unchecked Sendable { public var name: String { "" } }
public class HKSourceRevision: NSObject, @unchecked Sendable {
  public var source: HKSource { HKSource() }
  public var productType: String? { nil }
}

public class HKObject: NSObject, @unchecked Sendable {
  public var uuid: UUID { UUID() }
  public var sourceRevision: HKSourceRevision { HKSourceRevision() }
  public var metadata: [String: Any]? { nil }
}
public class HKSample: HKObject, @unchecked Sendable {
  public var startDate: Date { .now }
  public var endDate: Date { .now }
}
public class HKQuantitySample: HKSample, @unchecked Sendable {
  public var quantity: HKQuantity { HKQuantity() }
}
public class HKCategorySample: HKSample, @unchecked Sendable { public var value: Int { 0 } }
public struct HKWorkoutActivityType: RawRepresentable, Sendable {
  public var rawValue: UInt
  public init?(rawValue: UInt) { self.rawValue = rawValue }
}
public class HKWorkout: HKSample, @unchecked Sendable {
  public var workoutActivityType: HKWorkoutActivityType { fatalError() }
  public var duration: TimeInterval { 0 }
  public var allStatistics: [HKQuantityType: HKStatistics] { [:] }
}
public class HKDeletedObject: NSObject, @unchecked Sendable { public var uuid: UUID { UUID() } }
public class HKQueryAnchor: NSObject, NSSecureCoding, @unchecked Sendable {
  public static var supportsSecureCoding: Bool { true }
  public func encode(with coder: NSCoder) {}
  public required init?(coder: NSCoder) {}
}
public let HKMetadataKeyWasUserEntered = "HKWasUserEntered"
public let HKMetadataKeyAverageSpeed = "HKAverageSpeed"
public let HKMetadataKeyMaximumSpeed = "HKMaximumSpeed"
public let HKMetadataKeyElevationAscended = "HKElevationAscended"
public let HKMetadataKeyElevationDescended = "HKElevationDescended"
public let HKObjectQueryNoLimit = 0

public struct HKQueryOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let strictStartDate = HKQueryOptions(rawValue: 1)
  public static let strictEndDate = HKQueryOptions(rawValue: 2)
}
public class HKQuery: NSObject, @unchecked Sendable {
  public class func predicateForSamples(
    withStart startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
  ) -> NSPredicate { fatalError() }
}
public class HKAnchoredObjectQuery: HKQuery, @unchecked Sendable {
  public typealias Handler =
    @Sendable (HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?)
    -> Void
  public init(
    type: HKSampleType, predicate: NSPredicate?, anchor: HKQueryAnchor?, limit: Int,
    resultsHandler handler: @escaping Handler
  ) {}
  public var updateHandler: Handler?
}
public class HKSampleQuery: HKQuery, @unchecked Sendable {
  public init(
    sampleType: HKSampleType, predicate: NSPredicate?, limit: Int,
    sortDescriptors: [NSSortDescriptor]?,
    resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
  ) {}
}
public typealias HKObserverQueryCompletionHandler = () -> Void
public class HKObserverQuery: HKQuery, @unchecked Sendable {
  public init(
    sampleType: HKSampleType, predicate: NSPredicate?,
    updateHandler:
      @escaping @Sendable (
        HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?
      ) -> Void
  ) {}
}
public enum HKUpdateFrequency: Int, Sendable { case immediate = 1, hourly, daily, weekly }

public class HKHealthStore: NSObject, @unchecked Sendable {
  public class func isHealthDataAvailable() -> Bool { false }
  public func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
  ) async throws {}
  public func execute(_ query: HKQuery) {}
  public func stop(_ query: HKQuery) {}
  public func disableAllBackgroundDelivery() async throws {}
  public func enableBackgroundDelivery(for type: HKObjectType, frequency: HKUpdateFrequency)
    async throws
  {}
}
