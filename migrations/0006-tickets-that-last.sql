-- A ticket in a set-up link lasts longer than one that a program uses at once. In seconds.
ALTER TABLE organization_ticket ADD COLUMN valid_seconds INTEGER NOT NULL DEFAULT 600;
