// HealthSourcesTests
