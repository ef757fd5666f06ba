// HealthSources
