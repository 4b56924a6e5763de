-- Every project has a standing from its beginning: a list of those at the first stage needs no look at those without one.
create function project_stands() returns trigger language plpgsql as $$
begin
  insert into project_standings (project_id, customer_id) values (new.id, new.customer_id) on conflict do nothing;
  return null;
end $$;
create trigger project_stands after insert on projects for each row execute function project_stands();
insert into project_standings (project_id, customer_id) select id, customer_id from projects on conflict do nothing;

-- A stage says much about whose turn it is: what is narrowed by both is counted and found by both.
-- Not concurrently, as in 0028: half a second over 500,000 projects.
create index project_standings_by_both on project_standings (stage, waiting_on, project_id);
create statistics project_standings_kinds (mcv) on stage, waiting_on from project_standings;

-- What the days ahead hold of each service, and what waits for the manager, counted in an index. Not concurrently, as in
-- 0028: they hold only what is to be done, in two seconds over a million appointments.
create index appointments_ahead on appointments (service, starts_at)
  where state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused');
-- As above: a tenth of them at most.
create index appointments_requested on appointments (service, municipality, assignee_id) where state = 'requested';
