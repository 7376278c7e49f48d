-- name: read
-- The model that all vectors are of, and the one that they are being made anew for, if any.
SELECT model, dimensions, next_model, next_dimensions FROM embedding_profile
