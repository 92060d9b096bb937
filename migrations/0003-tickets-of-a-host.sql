-- A ticket is valid only for an organization at this host. A ticket without a host is not valid at all.
ALTER TABLE organization_ticket ADD COLUMN host TEXT;
