-- By how much an assignee said that they are late, and when they said it (decision 0141). Of another time since, it counts
-- no more.
alter table appointments
  add column running_late_minutes integer,
  add column running_late_at timestamptz,
  add constraint appointments_running_late check (
    running_late_minutes in (15, 30, 60) and running_late_at is not null
    or running_late_minutes is null and running_late_at is null
  ) not valid;
-- No row has one yet, so this finds what it expects without holding up writes.
alter table appointments validate constraint appointments_running_late;
