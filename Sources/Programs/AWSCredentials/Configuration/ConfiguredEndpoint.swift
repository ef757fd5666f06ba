import ObjectStore
import S3Store

extension AWSEnvironment {
  /// The endpoint of a service (`s3`, `sts`) from variables and profile, in AWS's order; nil for
  /// AWS's own.
  func configuredEndpoint(
    _ service: String, _ profile: AWSProfile
  ) throws(StoreError) -> FoundSetting? {
    if ignoresEndpoints(profile) { return nil }
    if let found = endpointVariable(service, profile) { return found }
    return try profile.serviceEndpoint(service) ?? profile.setting("endpoint_url")
  }

  /// The endpoint of a service from variables only.
  func endpointVariable(_ service: String, _ profile: AWSProfile) -> FoundSetting? {
    if ignoresEndpoints(profile) { return nil }
    return setting(["AWS_ENDPOINT_URL_\(service.uppercased())", "AWS_ENDPOINT_URL"])
  }

  private func ignoresEndpoints(_ profile: AWSProfile) -> Bool {
    let ignores =
      variable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")
      ?? profile.setting("ignore_configured_endpoint_urls")?.value
    return ignores?.lowercased() == "true"
  }

  /// The variables that name a region, in AWS's order.
  static let regionVariables = ["AWS_REGION", "AWS_DEFAULT_REGION"]

  /// The region from variables and profile.
  func configuredRegion(_ profile: AWSProfile) -> FoundSetting? {
    setting(Self.regionVariables) ?? profile.setting("region")
  }

  /// The first of some variables that is set.
  func setting(_ variables: [String]) -> FoundSetting? {
    for name in variables {
      if let value = variable(name) { return FoundSetting(value, name) }
    }
    return nil
  }
}
