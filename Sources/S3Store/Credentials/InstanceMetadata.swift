/// The metadata service of the machine that this runs on.
struct InstanceMetadata: Hashable, Sendable {
  /// Without a slash at the end.
  let endpoint: String

  /// Nil where AWS_EC2_METADATA_DISABLED says so.
  static func read(_ environment: AWSEnvironment) throws(CredentialsError) -> InstanceMetadata? {
    if environment.isTrue("AWS_EC2_METADATA_DISABLED") { return nil }
    let name = "AWS_EC2_METADATA_SERVICE_ENDPOINT"
    guard let url = environment.variable(name) else {
      let isIPv6 =
        environment.variable("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE")?.lowercased() == "ipv6"
      return InstanceMetadata(
        endpoint: isIPv6 ? "http://[fd00:ec2::254]" : "http://169.254.169.254")
    }
    do {
      return InstanceMetadata(endpoint: "\(try S3Endpoint(parsing: url, origin: name))")
    } catch {
      throw CredentialsError(error)
    }
  }
}
