-- Where the object of an organization was asked to be: a hint, where Durable Objects may be found again without it, and a
-- jurisdiction, without which an object in one is not found. Null: where its founder was.
ALTER TABLE realm ADD COLUMN location TEXT;
ALTER TABLE realm ADD COLUMN jurisdiction TEXT;
