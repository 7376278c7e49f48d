"""What a message means, as small trained models hear it."""
