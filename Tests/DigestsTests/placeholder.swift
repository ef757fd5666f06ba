// DigestsTests
