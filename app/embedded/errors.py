"""What can go wrong with the private servers, each in a sentence a person at the counter's PC can act on."""


class EmbeddedServersFailed(RuntimeError):
    """The private servers cannot be had; the message says why and, where there is one, names the log to read."""
