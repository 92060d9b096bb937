-- UNIX seconds after which the organization's data is to be deleted; NULL: never. Its object deletes it; a
-- daily run of the Worker makes sure of that.
ALTER TABLE realm ADD COLUMN delete_after INTEGER;
