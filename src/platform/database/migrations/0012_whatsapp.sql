-- Messages by WhatsApp: what was sent to whom, and how far it got. Never what it said.

create table whatsapp_messages (
  id uuid primary key default uuidv7(),
  -- The letter's job that asked for it: whichever of its tries, one message.
  letter_id uuid not null constraint whatsapp_messages_one_per_letter unique,
  user_id uuid not null constraint whatsapp_messages_user references users,
  template text not null,
  state text not null default 'queued',
  wamid text constraint whatsapp_messages_wamid_unique unique,
  fault text,
  created_at timestamptz not null default now(),
  state_at timestamptz not null default now(),
  constraint whatsapp_messages_state_known check (state in ('queued', 'sending', 'sent', 'delivered', 'read', 'failed', 'dropped'))
);
create index whatsapp_messages_of_user on whatsapp_messages (user_id, id desc);
create index whatsapp_messages_old on whatsapp_messages (created_at);
comment on column whatsapp_messages.wamid is 'WhatsApp''s own name of it, by which its webhook tells how far it got';
comment on column whatsapp_messages.fault is 'Why it failed: a code of WhatsApp''s, or ''unknown'' where nobody can tell whether it was taken';
