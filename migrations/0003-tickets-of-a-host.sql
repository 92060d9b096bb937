-- A ticket is good for the organization at this host alone. One without a host is good for nothing.
ALTER TABLE organization_ticket ADD COLUMN host TEXT;
