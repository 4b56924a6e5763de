-- What a customer's project is, and how it stands, was looked for among those of everybody: the only index of projects by
-- customer knows the open ones. Half a million rows take a second, during which somebody who signs up waits.
create index projects_by_customer on projects (customer_id);

-- The same: as many rows at most, written by the round that works them out, which waits a second.
create index project_standings_by_customer on project_standings (customer_id);
