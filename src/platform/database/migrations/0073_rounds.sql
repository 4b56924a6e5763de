-- What runs by itself again and again, by queue: when it was last asked for, and when it last succeeded. By the
-- database's clock alone: a moment in the future says that this clock was ahead, and counts as past.
create table rounds (
  name text constraint rounds_pkey primary key,
  minutes integer not null constraint rounds_minutes_positive check (minutes > 0),
  asked_at timestamptz not null default '-infinity',
  done_at timestamptz not null default now()
);
comment on column rounds.minutes is 'From one round to the next';
comment on column rounds.done_at is 'The last success; until there is one, when the round was first known';

-- One row that every process writes now and then, to notice when nothing can be written.
create table write_probe (
  id boolean constraint write_probe_pkey primary key default true constraint write_probe_one check (id),
  at timestamptz not null
);
