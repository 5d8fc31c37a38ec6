"""What tests stand on: real servers, databases per test, child processes, and waiting without sleeping."""
