package import HTTPTransport

/// AWS's default chain: environment keys, web identity, profile, container, instance metadata.
///
/// The first source that is configured decides; its failure is reported, not hidden by the next.
package struct DefaultCredentials: CredentialsProvider {
  package init(
    environment: AWSEnvironment, configuration: S3Configuration, transport: HTTPTransport
  ) {}

  package func credentials() async throws(CredentialsError) -> ResolvedCredentials {
    throw CredentialsError(.notFound, "not built")
  }

  package func invalidate(_ rejected: ResolvedCredentials) async {}
}
