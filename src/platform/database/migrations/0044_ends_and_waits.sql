-- Further orders of lists, as their keysets spell them (decision 0125). Not concurrently, as in 0028: each takes about half
-- a second over 500,000 rows.
create index quotes_by_end on quotes ((coalesce(valid_until, 'infinity'::timestamptz)), id);
-- As above.
create index project_standings_by_move on project_standings ((coalesce(since, '-infinity'::timestamptz)), project_id);
-- As above: the cases that are open, by how long somebody has had the turn.
create index cfe_cases_by_wait on cfe_cases (waiting_since, id) where closed_at is null;
