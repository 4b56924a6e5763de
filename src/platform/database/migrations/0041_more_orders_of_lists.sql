-- Further orders of lists, as their keysets spell them (docs/decisions/0118). Not concurrently, as in 0028: each takes about
-- half a second over 500,000 rows.
create index quotes_by_sent on quotes ((coalesce(sent_at, '-infinity'::timestamptz)), id);
-- As above.
create index quotes_by_worth on quotes ((coalesce(accepted_total, lowest_total)), id);
-- As above.
create index project_standings_by_wait on project_standings
  ((waiting_on = 'none'), (coalesce(since, 'infinity'::timestamptz)), project_id);
-- As above: the last call about a quote, which the office's home looks for.
create index calls_of_quote on tasks (quote_id, done_at desc, id desc) where reason = 'quote_call';
