import HealthExports
public import HealthModel
public import HealthStreams
import S3Session
import S3Store
import Secrets

/// Where raw data goes: to a hub, to a bucket of the person's own, or nowhere. Its secrets are in a
/// `SecretStore`.
public enum PhoneReceiver: Codable, Hashable, Sendable {
  /// A server with `/api/ingest`; its token is the secret `hub.token`.
  case hub(url: String)
  /// A bucket; its keys are the secrets of `S3Store.KeyName`.
  case bucket(name: String, endpoint: String?, region: String, prefix: String)
  /// Nowhere: the newest values go to the Pushgateways, and that is all.
  case gateways

  /// The name of the token's secret.
  public static let tokenName = "hub.token"

  /// A hub's secret, as it is kept.
  static func secrets(token: String) -> [String: Secret?] { [tokenName: Secret(token)] }

  /// A bucket's secrets. An older session token does not belong to them.
  static func secrets(accessKeyID: String, secretAccessKey: String) -> [String: Secret?] {
    [
      S3Store.KeyName.accessKeyID: Secret(accessKeyID),
      S3Store.KeyName.secretAccessKey: Secret(secretAccessKey), S3Store.KeyName.sessionToken: nil,
    ]
  }

  /// What the screens call it.
  public var title: String {
    switch self {
    case .hub(let url): url
    case .bucket(let name, let endpoint, _, _): "\(name) at \(endpoint ?? "AWS")"
    case .gateways: "Pushgateways only"
    }
  }

  /// The queue's file if this is the app's first receiver; nil where nothing is queued.
  var queueName: String? {
    switch self {
    case .hub: "hub"
    case .bucket: "bucket"
    case .gateways: nil
    }
  }

  /// The streams that are of use: without a place for raw data Health alone, of which values are made.
  var streams: [StreamName] { self == .gateways ? [.healthKit] : StreamName.collected }
}

/// A Prometheus Pushgateway that gets the newest values. Its password is a secret.
public struct PhoneGateway: Codable, Hashable, Sendable, Identifiable {
  /// Distinguishes gateways; part of the names of its secret and its file.
  public let id: String
  /// Such as `https://gateway.example:9091`.
  public var url: String
  /// The group's instance, which tells phones apart.
  public var instance: String
  /// The user of basic authentication; empty for none.
  public var user: String
  /// Whether it is pushed to.
  public var isOn: Bool
  /// Whether the person lets it be reached over plain http, where others on the way can read what is
  /// pushed.
  public var allowsPlaintext: Bool

  /// The group's job, which is the same for everybody.
  public static let job = "my_health_data"

  /// A gateway.
  public init(
    id: String, url: String, instance: String, user: String = "", isOn: Bool = true,
    allowsPlaintext: Bool = false
  ) {
    (self.id, self.url, self.instance) = (id, url, instance)
    (self.user, self.isOn, self.allowsPlaintext) = (user, isOn, allowsPlaintext)
  }

  /// Reads a kept gateway; one that says nothing of plain http is reached over https alone.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try members.decode(String.self, forKey: .id),
      url: try members.decode(String.self, forKey: .url),
      instance: try members.decode(String.self, forKey: .instance),
      user: try members.decode(String.self, forKey: .user),
      isOn: try members.decode(Bool.self, forKey: .isOn),
      allowsPlaintext: try members.decodeIfPresent(Bool.self, forKey: .allowsPlaintext) ?? false)
  }

  /// The name of the password's secret.
  public var passwordName: String { "gateway.\(id).password" }
}

/// What a person has set, as it is kept between runs of the app.
public struct PhoneSettings: Hashable, Sendable {
  /// How far the person came with the first steps.
  public var onboarding: OnboardingStep = .consent
  /// Where raw data goes, once it was verified.
  public var receiver: PhoneReceiver?
  /// The queue's file, once the receiver was changed: what waits goes to the new one.
  var queue: String?
  /// The zones of the days, by the dates from which they hold.
  var zones = PhoneZones()
  /// The streams that are collected.
  public var streams: Set<StreamName> = Set(StreamName.collected)
  /// Samples that ended before this are not collected: seven days before the first sync.
  public var collectsSince: Timestamp?
  /// Whether the services run.
  public var isRunning = false
  /// The id of the microphone; nil for the phone's own.
  public var audioInput: String?
  /// The steps to reach in a day.
  public var stepGoal = 10_000
  /// Hours between regular notifications: 6 to 12.
  public var notifyHours = 12
  /// Minutes between two syncs, and two pushes: 1 to 60.
  public var intervalMinutes = HealthKitSampling.interval / 60
  /// Where the newest values are pushed.
  public var gateways: [PhoneGateway] = []
  /// The metrics that are pushed; nil for all.
  public var pushedMetrics: Set<DailyMetric>?
  /// Whether the current heart rate is pushed.
  public var pushesHeartRate = true
  /// Whether today's workouts are pushed.
  public var pushesWorkouts = true
  /// When each gateway last took what was pushed, by its id.
  public var lastPushes: [String: Timestamp] = [:]
  /// Whether days and sleep are sent as records.
  public var sendsRecords = false
  /// The oldest day that a backfill has sent, while it is not complete.
  public var recordsReach: CalendarDate?
  /// Whether the past was filled in.
  public var isFilled = false
  /// When all records were sent last.
  public var recordsSyncedAt: Timestamp?
  /// The newest day of which all records were sent, and of those before it.
  public var recordsThrough: CalendarDate?

  /// The highest goal.
  public static let maximumGoal = 1_000_000
  /// Hours that a person may choose.
  public static let notifyRange = 6...12
  /// Minutes that a person may choose.
  public static let intervalRange = 1...60
  /// How many days of the past the first sync has.
  public static let firstSyncDays = 7

  /// As the app begins.
  public init() {}

  /// The permissions that the streams need.
  public var permissions: [PhonePermission] {
    PhonePermission.allCases.filter { streams.contains($0.stream) }
  }

  var pushSelection: PushSelection {
    PushSelection(
      metrics: pushedMetrics ?? Set(GatewaysMachine.allMetrics), hasHeartRate: pushesHeartRate,
      hasWorkouts: pushesWorkouts)
  }

  /// The streams that are collected at the moment.
  var collected: Set<StreamName> { mayCollect ? streams : [] }

  /// Whether what is collected is queued.
  var hasQueue: Bool { receiver?.queueName != nil }

  /// Whether anything may be collected: after the first steps, and while the services run.
  public var mayCollect: Bool { onboarding == .finished && isRunning }
}

/// Members that are missing or damaged are as at the beginning, so that settings of another version
/// can be read.
extension PhoneSettings: Codable {
  private enum Member: String, CodingKey {
    case onboarding, receiver, streams, gateways
    case collectsSince = "collects_since"
    case isRunning = "is_running"
    case audioInput = "audio_input"
    case stepGoal = "step_goal"
    case notifyHours = "notify_hours"
    case intervalMinutes = "interval_minutes"
    case pushedMetrics = "pushed_metrics"
    case pushesHeartRate = "pushes_heart_rate"
    case pushesWorkouts = "pushes_workouts"
    case lastPushes = "last_pushes"
    case sendsRecords = "sends_records"
    case recordsReach = "records_reach"
    case isFilled = "is_filled"
    case recordsThrough = "records_through"
    case recordsSyncedAt = "records_synced_at"
    case queue, zones
  }

  /// Reads what `encode` wrote.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Member.self)
    func read<Value: Decodable>(_ member: Member, _ type: Value.Type) -> Value? {
      try? members.decodeIfPresent(type, forKey: member)
    }
    onboarding = read(.onboarding, OnboardingStep.self) ?? onboarding
    receiver = read(.receiver, PhoneReceiver.self)
    // Without a receiver nothing is collected, whichever step was kept.
    if receiver == nil { onboarding = min(onboarding, .receiver) }
    queue = read(.queue, String.self).flatMap { ["hub", "bucket"].contains($0) ? $0 : nil }
    zones = read(.zones, PhoneZones.self) ?? zones
    streams =
      read(.streams, [String].self).map { Set($0.compactMap { StreamName(rawValue: $0) }) }
      ?? streams
    collectsSince = read(.collectsSince, Int.self).map(Timestamp.init(secondsSince1970:))
    isRunning = read(.isRunning, Bool.self) ?? isRunning
    audioInput = read(.audioInput, String.self)
    stepGoal = (1...Self.maximumGoal).clamp(read(.stepGoal, Int.self) ?? stepGoal)
    notifyHours = Self.notifyRange.clamp(read(.notifyHours, Int.self) ?? notifyHours)
    intervalMinutes = Self.intervalRange.clamp(
      read(.intervalMinutes, Int.self) ?? intervalMinutes)
    gateways = read(.gateways, [PhoneGateway].self) ?? []
    pushedMetrics = read(.pushedMetrics, [String].self).map {
      Set($0.compactMap { DailyMetric(rawValue: $0) })
    }
    pushesHeartRate = read(.pushesHeartRate, Bool.self) ?? pushesHeartRate
    pushesWorkouts = read(.pushesWorkouts, Bool.self) ?? pushesWorkouts
    lastPushes = (read(.lastPushes, [String: Int].self) ?? [:])
      .mapValues(Timestamp.init(secondsSince1970:))
    sendsRecords = read(.sendsRecords, Bool.self) ?? sendsRecords
    recordsReach = read(.recordsReach, String.self).flatMap { CalendarDate($0) }
    isFilled = read(.isFilled, Bool.self) ?? isFilled
    recordsSyncedAt = read(.recordsSyncedAt, Int.self).map(Timestamp.init(secondsSince1970:))
    recordsThrough = read(.recordsThrough, String.self).flatMap { CalendarDate($0) }
  }

  /// Writes all members.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Member.self)
    try members.encode(onboarding, forKey: .onboarding)
    try members.encodeIfPresent(receiver, forKey: .receiver)
    try members.encode(streams.map(\.rawValue).sorted(), forKey: .streams)
    try members.encodeIfPresent(collectsSince?.secondsSince1970, forKey: .collectsSince)
    try members.encode(isRunning, forKey: .isRunning)
    try members.encodeIfPresent(audioInput, forKey: .audioInput)
    try members.encode(stepGoal, forKey: .stepGoal)
    try members.encode(notifyHours, forKey: .notifyHours)
    try members.encode(intervalMinutes, forKey: .intervalMinutes)
    try members.encode(gateways, forKey: .gateways)
    try members.encodeIfPresent(
      pushedMetrics?.map(\.rawValue).sorted(), forKey: .pushedMetrics)
    try members.encode(pushesHeartRate, forKey: .pushesHeartRate)
    try members.encode(pushesWorkouts, forKey: .pushesWorkouts)
    try members.encode(lastPushes.mapValues(\.secondsSince1970), forKey: .lastPushes)
    try members.encode(sendsRecords, forKey: .sendsRecords)
    try members.encodeIfPresent(recordsReach?.description, forKey: .recordsReach)
    try members.encode(isFilled, forKey: .isFilled)
    try members.encodeIfPresent(recordsThrough?.description, forKey: .recordsThrough)
    try members.encodeIfPresent(recordsSyncedAt?.secondsSince1970, forKey: .recordsSyncedAt)
    try members.encodeIfPresent(queue, forKey: .queue)
    try members.encode(zones, forKey: .zones)
  }
}

extension ClosedRange {
  /// The nearest number within the range.
  func clamp(_ number: Bound) -> Bound { Swift.min(Swift.max(number, lowerBound), upperBound) }
}
