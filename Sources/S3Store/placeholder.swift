// S3Store
