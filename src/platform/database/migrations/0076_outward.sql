-- What customers' acts write to mailboxes and phones, for two days: counted by receiver, and held back beyond a budget.
create table outward (
  id text primary key,
  receiver text not null,
  reader_id uuid not null references users on delete cascade,
  caused_by uuid not null references users on delete cascade,
  kind text not null,
  -- For how long what was held back with it is gathered; null where it was sent.
  gather_minutes integer,
  at timestamptz not null default now()
);
create index outward_of_receiver on outward (receiver, at);
create index outward_of_reader on outward (reader_id, at) where gather_minutes is not null;
create index outward_of_causer on outward (caused_by, at);
create index outward_at on outward (at);

-- Numbers, hashed, that were asked by WhatsApp whether they want messages. Those that read one before have agreed.
create table whatsapp_numbers (
  hash text primary key,
  asked_at timestamptz not null default now(),
  agreed_at timestamptz
);
insert into whatsapp_numbers (hash, agreed_at)
select distinct encode(sha256(convert_to(users.phone, 'UTF8')), 'hex'), now() from whatsapp_messages join users on users.id = user_id
where whatsapp_messages.state in ('delivered', 'read') and users.phone is not null;
