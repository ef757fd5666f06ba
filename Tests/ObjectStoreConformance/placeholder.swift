// ObjectStoreConformance
