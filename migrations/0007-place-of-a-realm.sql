-- The location that was requested for the object of an organization: a hint, which is not needed to find the object again; and a
-- jurisdiction, which is needed for that. Null: no location was requested, so the object is near its founder.
ALTER TABLE realm ADD COLUMN location TEXT;
ALTER TABLE realm ADD COLUMN jurisdiction TEXT;
