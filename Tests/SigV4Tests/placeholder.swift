// SigV4Tests
