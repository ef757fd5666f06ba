/// Pairs of AWS files and some variables, as people might have written them, from a seed.
struct SettingsCases {
  struct Case: Encodable, Sendable {
    var config = ""
    var credentials = ""
    var variables: [String: String] = [:]
  }

  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private static let profiles = ["default", "work", "a b", "p-1"]

  mutating func next() -> Case {
    var made = Case()
    for profile in Self.profiles where !chance(4) {
      made.config += section(configHeader(profile), keys: chance(3), settings: true)
    }
    if !chance(4) {
      made.config += "[services mine]\n"
      made.config += pick(["s3 =\n  endpoint_url = https://services.example:9000\n", "x = y\n"])
    }
    if chance(12) { made.config += pick(["[default]\n", "[broken\n", "nonsense\n", "= x\n"]) }
    for profile in Self.profiles where chance(2) {
      made.credentials += section("[\(profile)]", keys: !chance(5), settings: chance(2))
    }
    // An absent `default` that is named is an error for botocore, and none for us.
    if chance(2) { made.variables["AWS_PROFILE"] = pick(Self.profiles.dropFirst() + ["missing"]) }
    if chance(4) { made.variables["AWS_DEFAULT_REGION"] = pick(["eu-west-1", "ap-south-1"]) }
    if chance(5) { made.variables["AWS_ENDPOINT_URL"] = "https://env.example" }
    if chance(5) { made.variables["AWS_ENDPOINT_URL_S3"] = "https://env-s3.example:444" }
    if chance(6) {
      made.variables["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = pick(["true", "false", "TRUE"])
    }
    if chance(5) {
      made.variables["AWS_ACCESS_KEY_ID"] = "AKENV"
      made.variables["AWS_SECRET_ACCESS_KEY"] = chance(5) ? nil : "secret/env"
      made.variables["AWS_SESSION_TOKEN"] = pick([nil, "", "token+env=="])
    }
    if chance(6) {
      made.config = made.config.split(separator: "\n", omittingEmptySubsequences: false)
        .joined(separator: "\r\n")
    }
    return made
  }

  private mutating func configHeader(_ profile: String) -> String {
    if profile == "default" { return "[default]" }
    if profile.contains(" ") { return "[profile \"\(profile)\"]" }
    return pick(["[profile \(profile)]", "[profile '\(profile)']", "[profile  \(profile)] # mine"])
  }

  private mutating func section(_ header: String, keys: Bool, settings: Bool) -> String {
    var lines: [String] = []
    let number = Int(next64() % 1000)
    if keys {
      lines.append(line("aws_access_key_id", "AK\(number)"))
      if !chance(12) { lines.append(line("aws_secret_access_key", "s/\(number)=:#;x")) }
      if chance(3) { lines.append(line("aws_session_token", "t\(number)==")) }
    }
    if settings {
      if chance(2) { lines.append(line("region", pick(["us-west-2", "eu-north-1", "sa-east-1"]))) }
      if chance(3) { lines.append(line("endpoint_url", "https://profile\(number).example/base")) }
      if chance(4) { lines.append(line("services", pick(["mine", "mine", "mine", "other"]))) }
      if chance(8) { lines.append(line("ignore_configured_endpoint_urls", pick(["true", "no"]))) }
      if chance(3) { lines.append(block()) }
      if chance(4) {
        lines.append(
          line(
            "credential_process",
            "echo '{\"Version\": 1, \"AccessKeyId\": \"AKP\(number)\",' "
              + "\"\\\"SecretAccessKey\\\": \\\"p\(number)\\\"}\""))
      }
      if chance(6) { lines.append("output = json\n   more of it\n\n   and more") }
      if chance(60) { lines.append(lines.first ?? "region = x") }
      if chance(80) { lines.append("no separator") }
    }
    let noise = ["", "# comment", "; comment = 1", "   # indented comment"]
    for _ in 0..<(next64() % 3) { lines.insert(pick(noise), at: 0) }
    return ([header] + lines).joined(separator: "\n") + pick(["\n", "\n\n", "\n\n# end\n"])
  }

  private mutating func line(_ name: String, _ value: String) -> String {
    let name = chance(8) ? name.uppercased() : name
    return name + pick([" = ", "=", " =", ": ", "  =   "]) + value + pick(["", "", "  "])
  }

  private mutating func block() -> String {
    let style = pick(["path", "virtual", "auto"])
    return pick([
      "s3 =\n    addressing_style = \(style)\n    max_concurrent_requests=20",
      "s3=\n  # comment\n  signature_version = s3v4\n\n  addressing_style=\(style)",
      "s3 =\n  payload_signing_enabled = true",
    ])
  }

  private mutating func next64() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  private mutating func chance(_ oneIn: UInt64) -> Bool { next64() % oneIn == 0 }

  private mutating func pick<T>(_ values: [T]) -> T {
    values[Int(next64() % UInt64(values.count))]
  }
}
