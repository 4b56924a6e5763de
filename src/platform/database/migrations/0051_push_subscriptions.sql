-- A browser that shows news (decision 0138), with what it is encrypted for. It ends with the session that turned it on. Its
-- indexes are not made concurrently: the table is new.
create table push_subscriptions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  session_id uuid not null constraint push_subscriptions_session_unique unique references sessions on delete cascade,
  endpoint text not null constraint push_subscriptions_endpoint_unique unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default now(),
  -- When its service last took a message.
  answered_at timestamptz
);
create index push_subscriptions_by_user on push_subscriptions (user_id);

-- The kinds of news that the person does not want on any device.
alter table users add column unwanted_news text[] not null default '{}';
