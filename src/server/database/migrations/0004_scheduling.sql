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
comment on column day_plans.zones is 'Municipalities it is about; empty is all of them';
