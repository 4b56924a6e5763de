-- Video advice: who is in the room of a call, what they say to each other, and what comes of it.

alter table appointments
  add column customer_came_at timestamptz,
  add column call_back_asked_at timestamptz,
  add column taken_over_at timestamptz;
comment on column appointments.customer_waiting_since is 'Since when the customer of a call is in its room without an analyst; null while nobody waits';
comment on column appointments.customer_came_at is 'When the customer of a call first entered its room: who was there is never a no-show';
comment on column appointments.call_back_asked_at is 'When the customer of a call asked to be phoned instead';
comment on column appointments.taken_over_at is 'When somebody else took a call whose customer waited: nobody takes it from them at once';
create index appointments_waiting_in_room on appointments (customer_waiting_since)
  where service = 'videocall' and customer_waiting_since is not null;
-- What waits for the manager is a stretch of appointments_listed for each service.
drop index appointments_waiting;

create table calls (
  appointment_id uuid primary key references appointments,
  met_at timestamptz,
  keeps_waiting_at timestamptz,
  notes text not null default '',
  notes_version int not null default 0,
  summary text,
  next_steps text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1
);
comment on table calls is 'What only a call has, beside its appointment';
comment on column calls.met_at is 'When both sides were first in the room together';
comment on column calls.keeps_waiting_at is 'When its customer last chose to go on waiting for an analyst who does not come';
comment on column calls.notes is 'The analyst''s own, kept as they are typed; never shown to the customer';
comment on column calls.notes_version is 'Rises with the notes alone: two who write at once each hear of the other';
comment on column calls.summary is 'What was talked about, for the customer';

-- A stay in the room: one page of one person. It outlives a lost connection for a while.
create table call_sittings (
  id uuid primary key default uuidv7(),
  appointment_id uuid not null references appointments,
  side text not null,
  user_id uuid not null references users,
  session_id uuid not null,
  page_id uuid not null,
  connection_id uuid,
  media jsonb not null,
  joined_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  lost_at timestamptz,
  left_at timestamptz,
  left_because text,
  constraint call_sittings_side_known check (side in ('customer', 'analyst')),
  constraint call_sittings_end_known check (left_because in ('left', 'replaced', 'lost', 'ended', 'signed_out', 'taken_over')),
  constraint call_sittings_end_told check ((left_at is null) = (left_because is null))
);
create unique index call_sittings_one_per_side on call_sittings (appointment_id, side) where left_at is null;
create index call_sittings_open_of_person on call_sittings (user_id) where left_at is null;
create index call_sittings_of_call on call_sittings (appointment_id, joined_at);
comment on column call_sittings.page_id is 'Drawn by the page: the same page that comes back sits down where it sat, another one takes its place';
comment on column call_sittings.connection_id is 'The socket that holds it; null while the connection is lost';
comment on column call_sittings.seen_at is 'Written every few seconds by the process that holds its socket: an old one is of a process that ended';

-- What is on its way between two pages. Whoever delivers it deletes it; after a crash the pages begin again by themselves.
create unlogged table call_signals (
  id bigint generated always as identity primary key,
  to_sitting uuid not null,
  from_sitting uuid not null,
  body jsonb not null,
  at timestamptz not null default now()
);
create index call_signals_to on call_signals (to_sitting, id);

create table call_messages (
  id uuid primary key,
  appointment_id uuid not null references appointments,
  author_id uuid not null references users,
  side text not null,
  text text not null,
  at timestamptz not null default clock_timestamp(),
  constraint call_messages_side_known check (side in ('customer', 'analyst')),
  constraint call_messages_length check (char_length(text) between 1 and 2000)
);
create index call_messages_of_call on call_messages (appointment_id, at, id);
comment on column call_messages.id is 'Made by the page that wrote it: sent twice, it is one message';

-- Who has a screen open right now; worth nothing after a restart.
create unlogged table presence (
  user_id uuid primary key references users on delete cascade,
  seen_at timestamptz not null default now()
);
