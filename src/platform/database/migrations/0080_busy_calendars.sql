-- The calendars of their own whose busy hours keep staff from being offered. Of what is in them only the hours are kept.
create table busy_calendars (
  id uuid primary key default uuidv7(),
  person_id uuid not null constraint busy_calendars_person references users on delete cascade,
  -- The secret address, encrypted; beside it what is shown of it.
  sealed text not null,
  host text not null,
  ending text not null constraint busy_calendars_ending check (char_length(ending) <= 4),
  all_day boolean not null default false,
  busy tstzmultirange not null default '{}',
  -- Entries of the last reading that nobody could read.
  unread int not null default 0,
  etag text,
  fault text,
  failures int not null default 0,
  failing_since timestamptz,
  read_at timestamptz,
  -- Null: not read any more until its owner asks for it.
  next_read_at timestamptz default now(),
  created_at timestamptz not null default now()
);
comment on table busy_calendars is 'Addresses of staff''s own calendars, encrypted, and when those say that they are busy';
create index busy_calendars_of on busy_calendars (person_id);
create index busy_calendars_due on busy_calendars (next_read_at);
create trigger busy_calendars_bump_new after insert on busy_calendars
  for each row when (not isempty(new.busy)) execute function bump_roster_version();
create trigger busy_calendars_bump after update on busy_calendars
  for each row when (old.busy is distinct from new.busy) execute function bump_roster_version();
create trigger busy_calendars_bump_gone after delete on busy_calendars
  for each row when (not isempty(old.busy)) execute function bump_roster_version();
create trigger busy_calendars_bump_all after truncate on busy_calendars
  for each statement execute function bump_roster_version();
