import CCurl
import HTTPClient

/// A pooled libcurl easy handle with the buffer for its error text.
struct EasyHandle {
  let curl: UnsafeMutableRawPointer
  let errorText: UnsafeMutablePointer<CChar>
  /// The parameters of the options that outlast a request; nil if those are not set.
  private var standing: Standing?

  /// The parameters of the options that are the same for all requests to one host.
  private struct Standing: Equatable {
    let isTLS: Bool
    let isLoopback: Bool
  }

  init?() {
    guard let curl = curl_easy_init() else { return nil }
    self.curl = curl
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  func free() {
    curl_easy_cleanup(curl)
    errorText.deallocate()
  }

  /// Resets everything except what makes the handle cheap to reuse.
  ///
  /// Needed after a transfer that failed or was sent more than once: libcurl counts broken
  /// connections per handle and gives up after five, however many transfers lie between them.
  mutating func reset() {
    curl_easy_reset(curl)
    errorText[0] = 0
    standing = nil
  }

  /// Resets the request: its URL, header fields, body and special options.
  ///
  /// The standing options stay. None of them holds a credential or points to the transfer, and
  /// setting them again would cost as much as all the others.
  mutating func forgetRequest() {
    var options = Options(curl: curl)
    options.set(CURLOPT_URL, pointer: nil)
    options.set(CURLOPT_HTTPHEADER, pointer: nil)
    options.set(CURLOPT_CUSTOMREQUEST, pointer: nil)
    options.set(CURLOPT_COPYPOSTFIELDS, pointer: nil)
    options.check(s3h_set_offset(curl, CURLOPT_POSTFIELDSIZE_LARGE, -1))
    // Set after the body's options, which make the method POST. It also undoes NOBODY.
    options.set(CURLOPT_HTTPGET, 1)
    options.set(CURLOPT_FRESH_CONNECT, 0)
    options.set(CURLOPT_FORBID_REUSE, 0)
    options.set(CURLOPT_HEADERDATA, pointer: nil)
    options.set(CURLOPT_WRITEDATA, pointer: nil)
    options.set(CURLOPT_PREREQDATA, pointer: nil)
    options.set(CURLOPT_READDATA, pointer: nil)
    options.set(CURLOPT_SEEKDATA, pointer: nil)
    errorText[0] = 0
    if options.result != CURLE_OK { reset() }
  }

  /// Sets every option for a transfer. The handle's private pointer retains the transfer.
  mutating func prepare(
    _ transfer: Transfer, _ configuration: TransportConfiguration, _ kept: KeptSockets
  ) -> CURLcode {
    var options = Options(curl: curl)
    let pointer = Unmanaged.passUnretained(transfer).toOpaque()
    let needed = Standing(
      isTLS: transfer.target.isTLS, isLoopback: transfer.target.isLoopback)
    if standing != needed {
      if standing != nil { curl_easy_reset(curl) }
      setStanding(&options, needed, configuration)
      standing = options.result == CURLE_OK ? needed : nil
    }
    options.set(CURLOPT_CONNECTTIMEOUT_MS, transfer.request.connectTimeout.milliseconds)
    options.set(CURLOPT_URL, transfer.request.url)
    options.set(CURLOPT_FORBID_REUSE, transfer.request.closesConnection ? 1 : 0)
    options.set(CURLOPT_HTTPHEADER, pointer: transfer.fields.list)
    setMethod(&options, transfer.request, pointer)
    options.set(CURLOPT_HEADERDATA, pointer: pointer)
    options.set(CURLOPT_WRITEDATA, pointer: pointer)
    options.set(CURLOPT_PREREQDATA, pointer: pointer)
    if options.result == CURLE_OK {
      options.set(CURLOPT_PRIVATE, pointer: Unmanaged.passRetained(transfer).toOpaque())
      (transfer.handle, transfer.kept) = (curl, kept)
    }
    return options.result
  }

  /// The transfer of this handle.
  var transfer: Transfer? { Self.transfer(of: curl) }

  static func transfer(of curl: UnsafeMutableRawPointer) -> Transfer? {
    s3h_get_private(curl).map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Takes back the reference that `prepare` retained; nil if it was already taken.
  func takeTransfer() -> Transfer? {
    guard let pointer = s3h_get_private(curl) else { return nil }
    _ = s3h_set_pointer(curl, CURLOPT_PRIVATE, nil)
    let transfer = Unmanaged<Transfer>.fromOpaque(pointer).takeRetainedValue()
    (transfer.handle, transfer.kept) = (nil, nil)
    return transfer
  }

  /// Lets a transfer go on whose body was held back.
  func resume() { _ = curl_easy_pause(curl, CURLPAUSE_CONT) }

  /// Makes its transfer use a new connection.
  func requireNewConnection() -> Bool { s3h_set_long(curl, CURLOPT_FRESH_CONNECT, 1) == CURLE_OK }

  private func setStanding(
    _ options: inout Options, _ standing: Standing, _ configuration: TransportConfiguration
  ) {
    options.set(CURLOPT_ERRORBUFFER, pointer: errorText)
    options.check(s3h_set_transfer_callback(curl, CURLOPT_HEADERFUNCTION, receiveHeader))
    options.check(s3h_set_transfer_callback(curl, CURLOPT_WRITEFUNCTION, receiveBody))
    options.check(s3h_set_prereq_callback(curl, beforeSend))
    options.check(s3h_set_transfer_callback(curl, CURLOPT_READFUNCTION, readBody))
    options.check(s3h_set_seek_callback(curl, rewindBody))
    options.set(CURLOPT_NOSIGNAL, 1)
    options.set(CURLOPT_PROTOCOLS_STR, "http,https")
    // The signature covers the path as it is.
    options.set(CURLOPT_PATH_AS_IS, 1)
    options.set(CURLOPT_FOLLOWLOCATION, 0)
    options.set(CURLOPT_USERAGENT, configuration.userAgent)
    // This fails if a cancelled or multiplexed transfer has left its buffer, which is then reused.
    _ = s3h_set_long(curl, CURLOPT_BUFFERSIZE, Self.receiveBufferBytes)
    options.set(CURLOPT_LOW_SPEED_LIMIT, configuration.stallBytesPerSecond)
    options.set(
      CURLOPT_LOW_SPEED_TIME, max(1, Int(configuration.stallTimeout.components.seconds)))
    options.set(CURLOPT_TCP_KEEPALIVE, 1)
    options.set(CURLOPT_TCP_KEEPIDLE, 30)
    options.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    options.check(s3h_set_quick_exit(curl))
    if standing.isLoopback { options.set(CURLOPT_PROXY, "") }
    guard standing.isTLS else {
      options.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
      return
    }
    options.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    // Waits to find out whether the host multiplexes before it opens a second connection.
    options.set(CURLOPT_PIPEWAIT, 1)
    options.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    options.set(CURLOPT_SSL_VERIFYPEER, 1)
    options.set(CURLOPT_SSL_VERIFYHOST, 2)
    if let caBundle = configuration.caBundle {
      options.set(CURLOPT_CAINFO, caBundle)
      // Otherwise the system's certificate folder would be trusted in addition to the bundle.
      options.set(CURLOPT_CAPATH, pointer: nil)
    }
  }

  private func setMethod(
    _ options: inout Options, _ request: HTTPRequest, _ pointer: UnsafeMutableRawPointer
  ) {
    switch request.method {
    case .get: options.set(CURLOPT_HTTPGET, 1)
    case .head: options.set(CURLOPT_NOBODY, 1)
    case .delete: options.set(CURLOPT_CUSTOMREQUEST, "DELETE")
    case .put, .post:
      options.set(CURLOPT_POST, 1)
      if request.method == .put { options.set(CURLOPT_CUSTOMREQUEST, "PUT") }
      options.check(
        s3h_set_offset(curl, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
      if request.body.count <= Self.wholeBodyBytes, request.gate == nil {
        // A copy of a small body is sent in the same packet as the header.
        request.body.withUnsafeBytes {
          options.set(CURLOPT_COPYPOSTFIELDS, pointer: $0.baseAddress ?? UnsafeRawPointer(curl))
        }
      } else {
        options.set(CURLOPT_UPLOAD_BUFFERSIZE, Self.uploadBufferBytes)
        options.set(CURLOPT_READDATA, pointer: pointer)
        options.set(CURLOPT_SEEKDATA, pointer: pointer)
      }
    }
  }

  private static let wholeBodyBytes = 64 << 10
  private static let uploadBufferBytes = 256 << 10
  /// Four times libcurl's default, which halves the cost of large bodies. Small bodies touch one
  /// page of it.
  private static let receiveBufferBytes = 64 << 10
}

/// Sets options and remembers the first refusal.
private struct Options {
  let curl: UnsafeMutableRawPointer
  var result = CURLE_OK

  mutating func check(_ code: CURLcode) { if result == CURLE_OK { result = code } }
  mutating func set(_ option: CURLoption, _ value: Int) {
    check(s3h_set_long(curl, option, value))
  }
  mutating func set(_ option: CURLoption, _ value: String) {
    check(s3h_set_string(curl, option, value))
  }
  mutating func set(_ option: CURLoption, pointer: UnsafeRawPointer?) {
    check(s3h_set_pointer(curl, option, pointer))
  }
}
