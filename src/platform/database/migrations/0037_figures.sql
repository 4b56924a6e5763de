-- "Cifras" follows every project from its first visit to its installation: read from the index alone, in the order of
-- projects. Not concurrently, as in 0028: two seconds over a million appointments, 63 MB.
create index appointments_of_journeys on appointments (project_id) include (service, state, outcome, created_at, starts_at, finished_at)
  where service in ('technical_visit', 'installation');
-- As above: quotes are fewer, a quarter of a second.
create index quotes_sent on quotes (sent_at) include (project_id, accepted_at) where kind = 'installation' and sent_at is not null;
-- As above: one in five projects.
create index projects_lost on projects (closed_at) where lost_reason is not null;
