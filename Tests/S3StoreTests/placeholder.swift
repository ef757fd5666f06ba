// S3StoreTests
