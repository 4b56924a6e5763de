-- Further orders of lists, as their keysets spell them (docs/decisions/0118). Not concurrently, as in 0028: each takes about
-- half a second over 500,000 rows.
create index quotes_by_sent on quotes ((coalesce(sent_at, '-infinity'::timestamptz)), id);
-- As above.
create index quotes_by_worth on quotes ((coalesce(accepted_total, lowest_total)), id);
-- As above.
create index project_standings_by_wait on project_standings
  ((waiting_on = 'none'), (coalesce(since, 'infinity'::timestamptz)), project_id);

-- From when on a customer is called again about a quote: of calls without a day that was agreed, two days later.
update tasks set due_at = done_at + interval '48 hours' where reason = 'quote_call' and done_at is not null;
