// HealthLedger
