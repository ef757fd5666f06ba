// ObjectStoreTests
