-- What the office answered to a customer who reported that nobody came; null again with a new report.
alter table appointments
  add column nobody_came_answer text,
  add column nobody_came_answered_at timestamptz,
  add constraint appointments_nobody_came_answer check (
    nobody_came_answer in ('calling', 'coming', 'was_there') and nobody_came_at is not null
      and nobody_came_answered_at is not null
    or nobody_came_answer is null and nobody_came_answered_at is null
  ) not valid;
-- No row has an answer yet, so this finds what it expects without holding up writes.
alter table appointments validate constraint appointments_nobody_came_answer;
