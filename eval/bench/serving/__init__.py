"""The HTTP server under load: a process of its own, a scripted model beside it, many clients."""
