process.exitCode = 7;
