-- The manager's desk of security (decision 0175). What networks tried in vain, or began, by the hour; kept for 30 days.
-- Beyond a number of networks an hour, the others share the row whose network is empty.
create table network_counts (
  hour timestamptz not null,
  kind text not null,
  network text not null,
  count integer not null,
  primary key (hour, kind, network)
);

-- Where visitors may not sign in, sign up or recover for a while.
create table closed_networks (
  network text primary key,
  until timestamptz not null,
  closed_by uuid not null references users
);

-- Until then the account may not book, move, invite or change its e-mail.
alter table users add column braked_until timestamptz;
-- Not concurrently: people are few, and none is braked yet.
create index users_braked on users (braked_until) where braked_until is not null;

-- When a session that the manager closed would have ended; it may be given back for some minutes.
alter table sessions add column former_expires_at timestamptz;

-- Not concurrently, as in 0033: it holds a few rows of each appointment.
create index events_of_bookings on events (at)
  where entity = 'appointment' and name in ('book', 'cancel', 'reschedule', 'rescheduleAnew', 'rescheduleTo');
-- The same: it holds what managers did at the desk, which is nothing yet.
create index events_of_security on events (id)
  where entity = 'user' and name in ('brake', 'release_brake', 'close_network', 'open_network', 'end_sessions', 'restore_sessions');
