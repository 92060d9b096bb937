-- Seconds for which a ticket is valid: a set-up link is valid for longer than a ticket that a program uses at once.
ALTER TABLE organization_ticket ADD COLUMN valid_seconds INTEGER NOT NULL DEFAULT 600;
