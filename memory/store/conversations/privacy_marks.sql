-- name: mark
-- Not a row is written where nothing changes.
UPDATE conversations SET privacy = $3 WHERE user_id = $1 AND id = $2 AND privacy <> $3
