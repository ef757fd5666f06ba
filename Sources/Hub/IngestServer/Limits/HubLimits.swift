/// What one client may ask of the server (R54).
package struct HubLimits: Hashable, Sendable {
  /// The most bytes of a body, packed and unpacked.
  package var bodyBytes = 8_388_608
  /// The same of a request with entries of a stream, which are stored part by part.
  package var ingestBytes = 67_108_864
  /// How long a body may take to arrive, in seconds; a longer one, for each `bodyBytes` of its.
  package var bodySeconds = 60
  /// How long a route may take, in seconds, of a longer body for each `bodyBytes` of its: a receipt
  /// is given up after it.
  package var handlingSeconds = 60
  /// After how many seconds a silent connection is closed.
  package var idleSeconds = 75
  /// The most connections at a time. A further one takes the place of an idle one, or is answered
  /// 503.
  package var connections = 2048
  /// The most of one address, so that others still get in.
  package var connectionsPerAddress: Int { max(1, connections - connections / 4) }
  /// How many bytes of bodies are held at a time, of one device and of all.
  package var deviceBytesInFlight = 33_554_432
  package var bytesInFlight = 134_217_728
  /// How many requests a second one device may send on average, and how many at once. 0: any number.
  package var requestsPerSecond = 100
  package var requestBurst = 400
  /// The most UTC dates of one batch, each of which becomes an object and a day to derive.
  package var datesPerBatch = 366

  package init() {}
}
