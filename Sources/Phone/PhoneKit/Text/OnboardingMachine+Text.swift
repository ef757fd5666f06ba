extension OnboardingMachine {
  /// What leaves the phone, for the person who is asked for consent.
  public static let consentWords = [
    "This app reads Health, your location and the microphone, as far as you allow it.",
    "What it reads is kept on this phone, and sent to the endpoint or bucket that you enter next, if any,",
    "and to Pushgateways that you add. It is not sent to anyone else, and the app's authors can't see it.",
    "The app only sends. Nothing can connect to your phone.",
    "You can stop at any time in Settings. What was sent stays where you sent it.",
  ]

  /// What the app does with data, for its screen of privacy. The page on the project's site says more.
  public static let privacyStatement = """
    This app reads from Health the types that you allow, a point of your location every 10 seconds, \
    and sound from the microphone, each only while you have turned it on.

    All of it is kept on this phone until the endpoint or bucket that you entered has confirmed it, \
    and three days longer. Endpoint, bucket and Pushgateways are yours: the makers of this app run \
    none of them and receive nothing, no statistics and no reports of crashes.

    Tokens, keys and passwords are kept in the Keychain and never appear in the log. Data leaves the \
    phone over https, and over plain http only to a Pushgateway for which you allow it.

    Stop the services or turn off a stream in Settings, or take a permission back in the system's \
    Settings, at any time. Deleting the app deletes what is queued; its ids, tokens and keys stay in \
    the Keychain, where the app finds them if you install it again. What was sent is where you sent it.
    """

  /// The screen as lines of text, as a person would see it.
  public var text: [String] {
    switch step {
    case .consent: ["Welcome", ""] + Self.consentWords + ["", "[ I agree ]"]
    case .receiver: receiverText
    case .permissions: permissionsText
    case .firstSync: firstSyncText
    case .finished: ["All set", "", "The services run. You need not open the app again."]
    }
  }

  private var button: String { mayProceed ? "[ Continue ]" : "( Continue )" }

  /// What was entered, and whether it can be used.
  public var receiverLines: [String] {
    let state =
      switch verification {
      case .unverified: "Not verified yet. Nothing is collected before."
      case .verifying: "Verifying…"
      case .refused(let reason): "❌ \(reason)"
      case .verified: "✅ Verified"
      }
    return [
      "Where to: \(receiver?.title ?? "")", "Tokens, keys and passwords: kept in the Keychain",
      state,
    ]
  }

  /// The part of the first sync that is uploaded: 0 to 1.
  public var part: Double {
    firstSync == .complete ? 1 : found == 0 ? 0 : Double(uploaded) / Double(found)
  }

  private var receiverText: [String] {
    ["Where your data goes", ""] + receiverLines
      + ["", "[ Verify ]  [ Pushgateways only ]  \(button)"]
  }

  private var permissionsText: [String] {
    var lines = ["What the app must be allowed", ""]
    for permission in needed {
      let state = permissions[permission] ?? .notDetermined
      let sign = state == .granted ? "✅" : needsSettings(permission) ? "❌" : "○"
      lines += ["\(sign) \(permission.title)", "   \(permission.why)"]
      lines += permission.reasons.map { "   - \($0)" }
      if needsSettings(permission) {
        lines += ["   \(permission.remedy)", "   [ Open Settings ]"]
      } else if state == .unavailable {
        lines += ["   This device can't do that, or forbids it, and the app needs it."]
      } else if state != .granted {
        lines += ["   [ Allow ]"]
      }
    }
    return lines + ["", button]
  }

  private var firstSyncText: [String] {
    let state: [String] =
      switch firstSync {
      case .notStarted: ["[ Start ]"]
      case .running: [done, "Keep the app open.", "Attempt \(attempts)"]
      case .paused(let reason): [done, reason.map { "❌ \($0)" } ?? "Paused", "[ Try again ]"]
      case .complete: ["✅ Complete"]
      }
    let title =
      receiver == .gateways
      ? "The first push" : "The last \(PhoneSettings.firstSyncDays) days of Health"
    return [title, ""] + state
  }

  private var done: String {
    receiver == .gateways ? "Reading Health, and pushing" : "Uploaded \(uploaded) of \(found)"
  }
}
