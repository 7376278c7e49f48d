-- The logins of docker-compose.yml, made once, by the superuser, in an empty cluster. Nobody but
-- this file works as superuser: 
--
--   keepsake_migrate  owns the database and migrates it; may make roles, as policies.sql does
--   keepsake_chat     the chat: acts as keepsake_app, sees one user's rows at a time
--   keepsake_work     the worker: acts as keepsake_worker, fills in vectors and sees whose
--                     memories are due to be erased; erases them as keepsake_app, user by user

\set ON_ERROR_STOP on
\getenv migrate_password MIGRATE_PASSWORD
\getenv chat_password CHAT_PASSWORD
\getenv work_password WORK_PASSWORD

-- pgvector is no trusted extension: the owner could not make it.
CREATE EXTENSION IF NOT EXISTS vector;

-- The migrations find these four, and the logins can belong to them from the start.
CREATE ROLE keepsake_app NOLOGIN;
CREATE ROLE keepsake_worker NOLOGIN;
CREATE ROLE keepsake_search NOLOGIN;
CREATE ROLE keepsake_eraser NOLOGIN;

CREATE ROLE keepsake_migrate LOGIN CREATEROLE PASSWORD :'migrate_password';
GRANT keepsake_app, keepsake_worker, keepsake_search, keepsake_eraser
    TO keepsake_migrate WITH ADMIN OPTION;
CREATE ROLE keepsake_chat LOGIN PASSWORD :'chat_password' IN ROLE keepsake_app;
CREATE ROLE keepsake_work LOGIN PASSWORD :'work_password' IN ROLE keepsake_worker;
-- It has none of these rights by itself: it takes them on for one user's transaction at a time.
GRANT keepsake_app TO keepsake_work WITH INHERIT FALSE, SET TRUE;

ALTER DATABASE :"DBNAME" OWNER TO keepsake_migrate;
REVOKE ALL ON DATABASE :"DBNAME" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"DBNAME" TO keepsake_chat, keepsake_work;
