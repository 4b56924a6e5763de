-- The three services to the full: changes, waiting list, absences, reminders, calendar feeds, day plans, lists over many rows.

alter table appointments
  add column interest text,
  add column booked_by uuid references users,
  add column sequence int not null default 0,
  add column moved_by_customer int not null default 0,
  add column moved_by_us int not null default 0,
  add column closing_reason text,
  add column late boolean not null default false,
  add column paused_at timestamptz,
  add column customer_waiting_since timestamptz,
  add column nobody_came_at timestamptz,
  add column time_set_at timestamptz not null default now(),
  add column reminded_24h_at timestamptz,
  add column reminded_2h_at timestamptz,
  add constraint appointments_interest_known check (interest in ('01', '02', '03')),
  add constraint appointments_interest_of_calls check (interest is null or service = 'videocall'),
  add constraint appointments_outcome_known check (outcome in ('completed', 'partial', 'not_possible')),
  add constraint appointments_closing_reason_known check (closing_reason in (
    'cliente_no_disponible', 'cliente_se_arrepiente', 'clima', 'falta_material', 'tecnico_no_disponible',
    'analista_no_disponible', 'sin_acceso', 'instalacion_insegura', 'pago_pendiente', 'permiso_condominio', 'duplicada', 'otro'
  ));
comment on column appointments.booked_by is 'The member of staff who booked it for a caller; null when its customer did';
comment on column appointments.sequence is 'SEQUENCE of its calendar entry: grows with every change that calendars show';
comment on column appointments.moved_by_customer is 'How often its customer moved it; what we cause does not count';
comment on column appointments.moved_by_us is 'How often we moved it; an earlier time its customer waited for counts as nobody''s move';
comment on column appointments.late is 'Cancelled by its customer after the cut-off';
comment on column appointments.customer_waiting_since is 'Since when the customer of a call is in its room';
comment on column appointments.time_set_at is 'When its start was chosen: at booking, or with the last move';
comment on column appointments.reminded_24h_at is 'Null again when the appointment is moved: it has another start to be reminded of';
create index appointments_to_remind on appointments (starts_at)
  where state in ('requested', 'assigned') and (reminded_24h_at is null or reminded_2h_at is null);

-- What a project needs before an installation can be booked; quotes and payments will write it.
alter table projects
  add column vehicle jsonb,
  add column charger jsonb,
  add column quote_accepted_at timestamptz,
  add column deposit_paid_at timestamptz,
  add column permit_needed boolean not null default false,
  add column permit_received_at timestamptz;

alter table tasks
  add column appointment_id uuid references appointments,
  add column urgent boolean not null default false;

-- Somebody who would come earlier. One open wish per service and project.
create table slot_wishes (
  id uuid primary key default uuidv7(),
  customer_id uuid not null references users,
  project_id uuid not null references projects,
  service text not null,
  appointment_id uuid references appointments,
  before timestamptz,
  ended_at timestamptz,
  ended_because text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint slot_wishes_service_known check (service in ('technical_visit', 'installation', 'videocall')),
  constraint slot_wishes_end_known check (ended_because in ('claimed', 'withdrawn', 'appointment_over', 'passed'))
);
create unique index slot_wishes_one_open on slot_wishes (project_id, service) where ended_at is null;
create index slot_wishes_waiting on slot_wishes (service, created_at) where ended_at is null;
comment on column slot_wishes.appointment_id is 'The appointment that would be moved; null when nothing is booked yet';
comment on column slot_wishes.before is 'Only what starts earlier is of use; null for anything';

-- A freed slot held out to somebody for a while. Holding it out reserves nothing: the first claim wins.
create table slot_offers (
  id uuid primary key default uuidv7(),
  wish_id uuid not null references slot_wishes on delete cascade,
  starts_at timestamptz not null,
  expires_at timestamptz not null,
  answer text,
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  constraint slot_offers_answer_known check (answer in ('claimed', 'declined', 'gone')),
  constraint slot_offers_once unique (wish_id, starts_at)
);
create index slot_offers_open on slot_offers (expires_at) where answer is null;

-- What was open at the last look for whoever waits: only what was not is news to them.
create table open_slots (
  service text not null,
  zone smallint not null,
  starts int[] not null,
  primary key (service, zone)
);
comment on column open_slots.starts is 'Epoch minutes';
comment on column open_slots.zone is 'Index of the municipality; -1 for what happens nowhere';

-- Somebody can't come on a day: what becomes of that day's appointments.
alter table time_off
  add column refused_at timestamptz,
  add column refused_by uuid references users,
  add column refused_reason text,
  add column withdrawn_at timestamptz;
create index time_off_asked on time_off (created_at) where approved_at is null and refused_at is null and withdrawn_at is null;

create table move_offers (
  id uuid primary key default uuidv7(),
  appointment_id uuid not null references appointments,
  absent_id uuid not null references users,
  assignee_id uuid not null references users,
  from_starts_at timestamptz not null,
  to_starts_at timestamptz not null,
  harm int not null,
  made_by uuid not null references users,
  expires_at timestamptz not null,
  answer text,
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint move_offers_answer_known check (answer in ('accepted', 'declined', 'expired', 'withdrawn', 'gone'))
);
create unique index move_offers_one_open on move_offers (appointment_id) where answer is null;
create index move_offers_by_absent on move_offers (absent_id, from_starts_at);

-- A calendar that calendar programs subscribe to. Only the hash of its secret is kept.
create table calendar_feeds (
  user_id uuid primary key references users on delete cascade,
  secret_hash text not null constraint calendar_feeds_secret_unique unique,
  last_read_at timestamptz,
  created_at timestamptz not null default now()
);

-- A plan for a day, worked out in the background; applied whole or not at all.
create table day_plans (
  id uuid primary key default uuidv7(),
  date date not null,
  zones text[] not null default '{}',
  state text not null default 'running',
  made_by uuid not null references users,
  progress jsonb,
  plan jsonb,
  beat_at timestamptz not null default now(),
  applied_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint day_plans_state_known check (state in ('running', 'ready', 'stopped', 'failed', 'applied'))
);
create index day_plans_by_date on day_plans (date, created_at desc);
create unique index day_plans_one_running on day_plans (date) where state = 'running';
comment on column day_plans.beat_at is 'Whoever works it out writes this twice a second: an old one is of a process that ended';
comment on column day_plans.zones is 'Municipalities it is about; empty is all of them';

-- Lists over many rows. What a list is narrowed and searched by stands in the row itself, kept by triggers, so that a
-- page never joins a million customers or projects.
alter table appointments
  add column agency_id uuid references agencies,
  add column words tsvector not null default '';
comment on column appointments.agency_id is 'That of its project: whose allies see it';
comment on column appointments.words is 'What a search finds it by, lower case and without accents: folio and first name (A, which allies may see), last name, e-mail and phone (B)';

-- Words, and not their trigrams: of a million rows the longest list of a word is read in 2 ms, those of trigrams in 60.
-- Written as the text of a tsvector, by two regular expressions and not a row for each word: a booking waits for it.
create function with_parts(words text) returns text language sql immutable parallel safe
  return words || ' ' || regexp_replace(words, '[^[:alnum:]]+', ' ', 'g');
create function weighted(words text, weight text) returns text language sql immutable parallel safe
  return regexp_replace(translate(plain_text(left(words, 500)), '''\', ''), '\S+', '''\&'':1' || weight, 'g');
create function words_of(folio text, customer users) returns tsvector language sql immutable parallel safe
  return (
    weighted(concat_ws(' ', folio, substr(folio, 4), substr(folio, 9), ltrim(substr(folio, 9), '0'), with_parts(($2).name)), 'A')
    || ' ' || weighted(concat_ws(' ', ($2).email, split_part(($2).email, '@', 2), ($2).phone, right(($2).phone, 8), right(($2).phone, 4),
      with_parts(($2).lastname)), 'B')
  )::tsvector;
-- What begins with each word somebody typed, as the pattern of a tsquery: format(pattern, '', weights) looks in words,
-- format(pattern, week || ' ', '') in the words of a week. A word of which nothing is left begins none.
create function beginning_with(typed text[]) returns text language sql immutable parallel safe
  return (
    select string_agg('''%1$s' || replace(coalesce(nullif(translate(plain_text(word), '''\', ''), ''), ' '), '%', '%%') || ''':*%2$s', ' & ')
    from unnest(typed) as word
  );
create function week_of(at timestamptz) returns int language sql immutable parallel safe
  return floor(extract(epoch from at - timestamptz '2000-01-03 00:00Z') / 604800)::int;
-- The cost keeps the planner from working it out row by row where the index knows it.
create function words_of_week(words tsvector, starts_at timestamptz) returns tsvector language sql immutable parallel safe cost 100
  return array_to_tsvector(array(select (select week_of($2) || ' ') || lexeme from unnest($1)));

-- "For share" waits for a change of the customer or the project under way, which then finds this row, or is found by it.
create function appointments_fill() returns trigger language plpgsql as $$
begin
  select words_of(new.folio, customer) into new.words from users customer where customer.id = new.customer_id for share;
  select projects.agency_id into new.agency_id from projects where projects.id = new.project_id for share;
  return new;
end $$;
create trigger appointments_filled before insert or update of folio, customer_id, project_id on appointments
  for each row execute function appointments_fill();
create function users_refill() returns trigger language plpgsql as $$
begin
  update appointments set words = words_of(folio, new) where customer_id = new.id;
  return null;
end $$;
create trigger users_refilled after update of name, lastname, email, phone on users for each row
  when ((old.name, old.lastname, old.email, old.phone) is distinct from (new.name, new.lastname, new.email, new.phone))
  execute function users_refill();
create function projects_refill() returns trigger language plpgsql as $$
begin
  update appointments set agency_id = new.agency_id where project_id = new.id;
  return null;
end $$;
create trigger projects_refilled after update of agency_id on projects for each row
  when (old.agency_id is distinct from new.agency_id) execute function projects_refill();
update appointments set words = words_of(folio, customer), agency_id = projects.agency_id
  from users customer, projects where customer.id = appointments.customer_id and projects.id = appointments.project_id;

-- Each combination of equal values is one stretch of one of these, in the order of the list: however rare what is
-- looked for, a page is the head of a few stretches. appointments_by_person served fewer questions.
create index appointments_listed on appointments (state, service, starts_at, id);
create index appointments_listed_by_zone on appointments (municipality, state, service, starts_at, id);
create index appointments_listed_by_person on appointments (assignee_id, state, service, starts_at, id);
create index appointments_listed_by_agency on appointments (agency_id, state, service, starts_at, id) where agency_id is not null;
drop index appointments_by_person;
-- A word's entries stand week by week: a search goes through the weeks in the order of its list, and stops at a page.
-- One index for each list: bookings write that of the pending ones only. They leave their words on a short list that
-- the index takes in now and then; a search reads that list whole, once for each of the few weeks ahead.
create index appointments_pending_by_word on appointments using gin (words_of_week(words, starts_at)) with (gin_pending_list_limit = 64)
  where state in ('requested', 'assigned', 'en_route', 'in_progress', 'paused');
create index appointments_done_by_word on appointments using gin (words_of_week(words, starts_at)) with (fastupdate = off)
  where state in ('done', 'cancelled', 'no_show');
create index tasks_to_do on tasks (urgent desc, due_at, id) where done_at is null;
drop index tasks_open;
