import HealthLedger
import HealthModel

@testable import IngestServer

extension AccessToken {
  /// A token as tests need it.
  init(
    _ name: String, _ endpoints: Set<Endpoint> = [.ingest], of person: PersonID? = nil,
    secret: TokenSecret = TokenSecret(),
    at moment: Timestamp = Timestamp(secondsSince1970: 1_770_811_200)
  ) {
    self.init(
      device: AuthenticatedDevice(name: name, endpoints: endpoints, person: person),
      digest: secret.digest, createdAt: moment)
  }
}

extension TokenTable {
  init(_ tokens: [AccessToken]) {
    self.init()
    for token in tokens {
      let isAdded = add(token)
      precondition(isAdded)
    }
  }
}
