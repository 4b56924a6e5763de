-- The municipality that a technician leaves from in the morning. It goes with the account, and with the rights that it was for.
create table day_starts (
  person_id uuid primary key constraint day_starts_person references users on delete cascade,
  municipality text not null
);
create trigger day_starts_bump after insert or update or delete or truncate on day_starts
  for each statement execute function bump_roster_version();
