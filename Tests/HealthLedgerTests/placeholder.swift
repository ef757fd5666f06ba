// HealthLedgerTests
