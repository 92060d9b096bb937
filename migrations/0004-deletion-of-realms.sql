-- UNIX seconds after which the organization's data is to be deleted; NULL: never. Its object does it; who comes by
-- daily makes sure that it does.
ALTER TABLE realm ADD COLUMN delete_after INTEGER;
