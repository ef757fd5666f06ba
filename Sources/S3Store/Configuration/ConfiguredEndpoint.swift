extension AWSEnvironment {
  /// The endpoint of a service (`s3`, `sts`) by variables and profile, in AWS's order; nil for
  /// AWS's own.
  func configuredEndpoint(
    _ service: String, _ profile: AWSProfile
  ) throws(ConfigurationError) -> FoundSetting? {
    let ignores =
      variable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")
      ?? profile.setting("ignore_configured_endpoint_urls")?.value
    if ignores?.lowercased() == "true" { return nil }
    for name in ["AWS_ENDPOINT_URL_\(service.uppercased())", "AWS_ENDPOINT_URL"] {
      if let url = variable(name) { return FoundSetting(url, name) }
    }
    return try profile.serviceEndpoint(service) ?? profile.setting("endpoint_url")
  }

  /// The region by variables and profile.
  func configuredRegion(_ profile: AWSProfile) -> FoundSetting? {
    setting(["AWS_REGION", "AWS_DEFAULT_REGION"]) ?? profile.setting("region")
  }

  /// The first of some variables that is set.
  func setting(_ variables: [String]) -> FoundSetting? {
    for name in variables {
      if let value = variable(name) { return FoundSetting(value, name) }
    }
    return nil
  }
}
