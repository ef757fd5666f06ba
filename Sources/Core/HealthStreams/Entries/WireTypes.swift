public import HealthModel

/// A point of the location stream (R44).
public struct LocationPoint: Codable, Hashable, Sendable {
  /// ISO 8601 in UTC, to the millisecond.
  public var timestamp: String
  /// Degrees, -90 to 90.
  public var latitude: Double
  /// Degrees, -180 to 180.
  public var longitude: Double
  /// Metres above sea level.
  public var altitude: Double
  /// Metres a second; negative where unknown.
  public var speed: Double
  /// Metres; negative where unknown.
  public var horizontalAccuracy: Double
  /// Metres; negative where unknown.
  public var verticalAccuracy: Double

  enum CodingKeys: String, CodingKey {
    case timestamp, latitude, longitude, altitude, speed
    case horizontalAccuracy = "horizontal_accuracy"
    case verticalAccuracy = "vertical_accuracy"
  }

  /// A point of these members.
  public init(
    timestamp: String, latitude: Double, longitude: Double, altitude: Double, speed: Double,
    horizontalAccuracy: Double, verticalAccuracy: Double
  ) {
    (self.timestamp, self.latitude, self.longitude) = (timestamp, latitude, longitude)
    (self.altitude, self.speed) = (altitude, speed)
    (self.horizontalAccuracy, self.verticalAccuracy) = (horizontalAccuracy, verticalAccuracy)
  }

  /// The point as an entry: checked and normalised.
  public func entry() throws(RequestFault) -> StreamEntry {
    try StreamEntry(
      .object([
        "timestamp": .string(timestamp), "latitude": .number(latitude),
        "longitude": .number(longitude), "altitude": .number(altitude), "speed": .number(speed),
        "horizontal_accuracy": .number(horizontalAccuracy),
        "vertical_accuracy": .number(verticalAccuracy),
      ]), of: .location)
  }
}

/// A chunk of the audio stream (R44).
public struct AudioRecord: Codable, Hashable, Sendable {
  /// Unique to the chunk; 1 to 100 bytes. A chunk that is sent again keeps it.
  public var id: String
  /// ISO 8601 in UTC, to the millisecond.
  public var timestampStart: String
  /// ISO 8601 in UTC, to the millisecond.
  public var timestampEnd: String
  /// Seconds.
  public var duration: Double
  /// AAC in base64.
  public var audioData: String
  /// Seconds that the chunk before it holds as well.
  public var overlapDuration: Double

  enum CodingKeys: String, CodingKey {
    case id, duration
    case timestampStart = "timestamp_start"
    case timestampEnd = "timestamp_end"
    case audioData = "audio_data"
    case overlapDuration = "overlap_duration"
  }

  /// A chunk of these members.
  public init(
    id: String, timestampStart: String, timestampEnd: String, duration: Double, audioData: String,
    overlapDuration: Double
  ) {
    (self.id, self.timestampStart, self.timestampEnd) = (id, timestampStart, timestampEnd)
    (self.duration, self.audioData) = (duration, audioData)
    self.overlapDuration = overlapDuration
  }

  /// The chunk as an entry: checked and normalised.
  public func entry() throws(RequestFault) -> StreamEntry {
    try StreamEntry(
      .object([
        "id": .string(id), "timestamp_start": .string(timestampStart),
        "timestamp_end": .string(timestampEnd), "duration": .number(duration),
        "audio_data": .string(audioData), "overlap_duration": .number(overlapDuration),
      ]), of: .audio)
  }
}

/// A sample of the HealthKit stream (R44).
public struct HealthKitRecord: Codable, Hashable, Sendable {
  /// ISO 8601 in UTC, to the millisecond.
  public var timestamp: String
  /// HealthKit's identifier, such as `HKQuantityTypeIdentifierHeartRate`.
  public var sampleType: String
  /// The value in `unit`; the raw value of a category.
  public var value: Double
  /// HealthKit's name of the unit; empty for a category.
  public var unit: String
  /// HealthKit's UUID of the sample.
  public var uuid: String?
  /// Where it ends, if it is not a moment.
  public var endTimestamp: String?
  /// The app or device that wrote it.
  public var source: String?

  enum CodingKeys: String, CodingKey {
    case timestamp, value, unit, uuid, source
    case sampleType = "sample_type"
    case endTimestamp = "end_timestamp"
  }

  /// A sample of these members.
  public init(
    timestamp: String, sampleType: String, value: Double, unit: String, uuid: String? = nil,
    endTimestamp: String? = nil, source: String? = nil
  ) {
    (self.timestamp, self.sampleType) = (timestamp, sampleType)
    (self.value, self.unit, self.uuid) = (value, unit, uuid)
    (self.endTimestamp, self.source) = (endTimestamp, source)
  }

  /// The sample as an entry: checked and normalised.
  public func entry() throws(RequestFault) -> StreamEntry {
    var members: [String: JSONValue] = [
      "timestamp": .string(timestamp), "sample_type": .string(sampleType),
      "value": .number(value), "unit": .string(unit),
    ]
    members["uuid"] = uuid.map { .string($0) }
    members["end_timestamp"] = endTimestamp.map { .string($0) }
    members["source"] = source.map { .string($0) }
    return try StreamEntry(.object(members), of: .healthKit)
  }
}
