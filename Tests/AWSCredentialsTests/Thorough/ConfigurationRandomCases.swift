import StoreTesting

/// Pairs of AWS files and some variables, as people might have written them, from a seed.
struct SettingsCases {
  struct Case: Encodable, Sendable {
    var config = ""
    var credentials = ""
    var variables: [String: String] = [:]
  }

  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let profiles = ["default", "work", "a b", "p-1"]

  mutating func next() -> Case {
    var made = Case()
    for profile in Self.profiles where !random.chance(4) {
      made.config += section(configHeader(profile), keys: random.chance(3), settings: true)
    }
    if !random.chance(4) {
      made.config += "[services mine]\n"
      made.config += random.pick([
        "s3 =\n  endpoint_url = https://services.example:9000\n", "x = y\n",
      ])
    }
    if random.chance(12) {
      made.config += random.pick(["[default]\n", "[broken\n", "nonsense\n", "= x\n"])
    }
    for profile in Self.profiles where random.chance(2) {
      made.credentials += section(
        "[\(profile)]", keys: !random.chance(5), settings: random.chance(2))
    }
    // An absent `default` that is named is an error for botocore, and none for us.
    if random.chance(2) {
      made.variables["AWS_PROFILE"] = random.pick(Self.profiles.dropFirst() + ["missing"])
    }
    if random.chance(4) {
      made.variables["AWS_DEFAULT_REGION"] = random.pick(["eu-west-1", "ap-south-1"])
    }
    if random.chance(5) { made.variables["AWS_ENDPOINT_URL"] = "https://env.example" }
    if random.chance(5) { made.variables["AWS_ENDPOINT_URL_S3"] = "https://env-s3.example:444" }
    if random.chance(6) {
      made.variables["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = random.pick(["true", "false", "TRUE"])
    }
    if random.chance(5) {
      made.variables["AWS_ACCESS_KEY_ID"] = "AKENV"
      made.variables["AWS_SECRET_ACCESS_KEY"] = random.chance(5) ? nil : "secret/env"
      made.variables["AWS_SESSION_TOKEN"] = random.pick([nil, "", "token+env=="])
    }
    if random.chance(6) {
      made.config = made.config.split(separator: "\n", omittingEmptySubsequences: false)
        .joined(separator: "\r\n")
    }
    return made
  }

  private mutating func configHeader(_ profile: String) -> String {
    if profile == "default" { return "[default]" }
    if profile.contains(" ") { return "[profile \"\(profile)\"]" }
    return random.pick([
      "[profile \(profile)]", "[profile '\(profile)']", "[profile  \(profile)] # mine",
    ])
  }

  private mutating func section(_ header: String, keys: Bool, settings: Bool) -> String {
    var lines: [String] = []
    let number = random.below(1000)
    if keys {
      lines.append(line("aws_access_key_id", "AK\(number)"))
      if !random.chance(12) { lines.append(line("aws_secret_access_key", "s/\(number)=:#;x")) }
      if random.chance(3) { lines.append(line("aws_session_token", "t\(number)==")) }
    }
    if settings {
      if random.chance(2) {
        lines.append(line("region", random.pick(["us-west-2", "eu-north-1", "sa-east-1"])))
      }
      if random.chance(3) {
        lines.append(line("endpoint_url", "https://profile\(number).example/base"))
      }
      if random.chance(4) {
        lines.append(line("services", random.pick(["mine", "mine", "mine", "other"])))
      }
      if random.chance(8) {
        lines.append(line("ignore_configured_endpoint_urls", random.pick(["true", "no"])))
      }
      if random.chance(3) { lines.append(block()) }
      if random.chance(4) {
        lines.append(
          line(
            "credential_process",
            "echo '{\"Version\": 1, \"AccessKeyId\": \"AKP\(number)\",' "
              + "\"\\\"SecretAccessKey\\\": \\\"p\(number)\\\"}\""))
      }
      if random.chance(6) { lines.append("output = json\n   more of it\n\n   and more") }
      if random.chance(60) { lines.append(lines.first ?? "region = x") }
      if random.chance(80) { lines.append("no separator") }
    }
    let noise = ["", "# comment", "; comment = 1", "   # indented comment"]
    for _ in 0..<random.below(3) { lines.insert(random.pick(noise), at: 0) }
    return ([header] + lines).joined(separator: "\n") + random.pick(["\n", "\n\n", "\n\n# end\n"])
  }

  private mutating func line(_ name: String, _ value: String) -> String {
    let name = random.chance(8) ? name.uppercased() : name
    return name + random.pick([" = ", "=", " =", ": ", "  =   "]) + value
      + random.pick(["", "", "  "])
  }

  private mutating func block() -> String {
    let style = random.pick(["path", "virtual", "auto"])
    return random.pick([
      "s3 =\n    addressing_style = \(style)\n    max_concurrent_requests=20",
      "s3=\n  # comment\n  signature_version = s3v4\n\n  addressing_style=\(style)",
      "s3 =\n  payload_signing_enabled = true",
    ])
  }
}
