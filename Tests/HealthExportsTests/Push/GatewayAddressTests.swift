import HealthModel
import Testing

@testable import HealthExports

@Suite(.unit) struct GatewayAddressTests {
  @Test(arguments: [
    ("John's iPhone", "instance/John%27s%20iPhone"), ("a/b", "instance@base64/YS9i"),
    ("", "instance@base64/="), (".", "instance@base64/Lg=="), ("..", "instance@base64/Li4="),
    ("📱 é", "instance/%F0%9F%93%B1%20%C3%A9"), ("a%2Fb?c#d", "instance/a%252Fb%3Fc%23d"),
    ("//", "instance@base64/Ly8="), ("a-b_c.d~", "instance/a-b_c.d~"),
    ("a/?", "instance@base64/YS8_"),
  ])
  func `R57: an instance is percent-encoded, and base64 where a path can't hold it`(
    instance: String, part: String
  ) throws {
    let address = try GatewayAddress(
      "https://host:9091/", job: GatewayAddress.usualJob, instance: instance)
    #expect(address.group == "https://host:9091/metrics/job/my_health_data/\(part)")
  }

  @Test(arguments: [
    "https://h:1/a//b", "https://h:1/metrics/job/x/instance/y", "https://h:1/?a=b",
  ])
  func `R57: an address that a gateway would redirect or misread is refused`(url: String) {
    #expect(throws: InvalidText.self) {
      try GatewayAddress(url, job: "j", instance: "i")
    }
  }

  @Test func `a password is never printed`() throws {
    let credentials = try #require(GatewayCredentials(user: "ann", password: "geheim"))
    #expect(!"\(credentials)".contains("geheim"))
    var dumped = ""
    dump(credentials, to: &dumped)
    #expect(!dumped.contains("geheim"))
    #expect(credentials.field.value == "Basic YW5uOmdlaGVpbQ==")
    #expect(GatewayCredentials(user: "a:b", password: "c") == nil)
    #expect(GatewayCredentials(user: "a", password: "c\r\nX: y") == nil)
  }
}
