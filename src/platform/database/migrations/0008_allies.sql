-- Allies: codes, the clients that agencies bring, commissions, and what dealerships' own systems use. Amounts are whole
-- centavos; percentages hundredths of a percent.

create table codes (
  id uuid primary key default uuidv7(),
  code text not null constraint codes_code_unique unique,
  agency_id uuid not null references agencies,
  owner_id uuid not null references users,
  label text,
  benefit_kind text not null default 'none',
  benefit_value int not null default 0,
  starts_on date not null,
  ends_on date,
  max_uses int not null,
  uses int not null default 0,
  state text not null default 'draft',
  asked_at timestamptz,
  approved_at timestamptz,
  approved_by uuid references users,
  refused_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint codes_shape check (code ~ '^[A-HJ-NP-Z2-9]{6,12}$'),
  constraint codes_benefit_known check (benefit_kind in ('none', 'percent', 'amount', 'free_visit')),
  constraint codes_benefit_sensible check (case benefit_kind
    when 'percent' then benefit_value between 1 and 3000
    when 'amount' then benefit_value between 1 and 100000000
    else benefit_value = 0 end),
  constraint codes_days check (ends_on is null or ends_on >= starts_on),
  constraint codes_max_uses check (max_uses between 1 and 10000),
  constraint codes_uses check (uses between 0 and max_uses),
  constraint codes_state_known check (state in ('draft', 'active', 'paused', 'exhausted', 'expired', 'revoked')),
  constraint codes_exhausted check (state <> 'active' or uses < max_uses),
  constraint codes_label_length check (char_length(label) <= 80)
);
create index codes_of_agency on codes (agency_id, created_at, id);
create index codes_of_owner on codes (owner_id, created_at, id);
create index codes_to_end on codes (ends_on) where state in ('active', 'paused') and ends_on is not null;
create index codes_to_approve on codes (asked_at) where state = 'draft' and asked_at is not null;
comment on table codes is 'What an ally gives to people: it ties them to the ally, and may bring them a benefit';
comment on column codes.benefit_value is 'Hundredths of a percent, or centavos before IVA';
comment on column codes.ends_on is 'The last day on which it counts, in Mexico City; null is no end';
comment on column codes.asked_at is 'Since when a benefit beyond the agency''s limit waits for the manager';

create table clients (
  id uuid primary key default uuidv7(),
  agency_id uuid not null references agencies,
  ally_id uuid references users,
  code_id uuid references codes,
  source text not null,
  customer_id uuid references users,
  name text,
  lastname text,
  phone text,
  email text,
  vehicle jsonb,
  consent_at timestamptz,
  consent_version text,
  registered_by uuid references users,
  invite_hash text constraint clients_invite_unique unique,
  invite_expires_at timestamptz,
  joined_at timestamptz,
  reason text,
  benefit_project_id uuid references projects,
  stage text not null default 'invited',
  waiting_on text not null default 'none',
  standing_since timestamptz,
  ended_at timestamptz,
  ended_reason text,
  request_key uuid constraint clients_request_key_unique unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint clients_source_known check (source in ('link', 'code', 'manager', 'counter', 'api')),
  constraint clients_joined_whole check ((customer_id is null) = (joined_at is null)),
  constraint clients_stage_known check (stage in
    ('invited', 'intake', 'advisory', 'visit', 'quoting', 'deposit', 'installing', 'cfe', 'closed', 'lost')),
  constraint clients_waiting_known check (waiting_on in
    ('customer', 'technician', 'analyst', 'manager', 'gester', 'cfe', 'none')),
  constraint clients_manager_says_why check (source <> 'manager' or reason is not null),
  constraint clients_end_told check ((ended_at is null) = (ended_reason is null)),
  -- What the ally typed is kept only as long as there is no account that says it.
  constraint clients_joined_bare check (customer_id is null or (phone is null and email is null and lastname is null and vehicle is null))
);
create unique index clients_one_living on clients (customer_id) where ended_at is null and customer_id is not null;
create index clients_of_customer on clients (customer_id, created_at) where customer_id is not null;
create index clients_listed on clients (agency_id, stage, created_at, id) where ended_at is null;
create index clients_of_ally on clients (ally_id) where ended_at is null;
create index clients_of_code on clients (code_id) where code_id is not null;
create index clients_to_forget on clients (invite_expires_at) where customer_id is null and ended_at is null;
comment on table clients is 'Whom an agency brought: invited, or, with a customer, attributed to it. One living row for each customer; ended ones are history';
comment on column clients.ally_id is 'Who of the agency brought them; null where nobody is said';
comment on column clients.stage is 'That of the customer''s project, as last worked out (stage_checks); invited until there is an account';
comment on column clients.benefit_project_id is 'The project whose accepted quote took the code''s benefit';

-- Whoever had an agency before there were clients was given to it by hand.
insert into clients (agency_id, ally_id, source, reason, customer_id, joined_at, stage, created_at)
select distinct on (projects.customer_id) projects.agency_id,
  (select users.id from users where users.agency_id = projects.agency_id and users.active order by users.created_at limit 1),
  'manager', 'Registrado antes de los códigos', projects.customer_id, projects.created_at, 'intake', projects.created_at
from projects where projects.agency_id is not null order by projects.customer_id, projects.created_at;

-- A project belongs to the agency that brought its customer.
create function projects_attribute() returns trigger language plpgsql as $$
begin
  -- Who is being tied to an agency right now is waited for (server/clients/hold.ts).
  perform pg_advisory_xact_lock_shared(hashtextextended(new.customer_id::text, 726005));
  new.agency_id := coalesce(
    (select clients.agency_id from clients where clients.customer_id = new.customer_id and clients.ended_at is null),
    new.agency_id);
  return new;
end $$;
create trigger projects_attributed before insert on projects for each row execute function projects_attribute();

create table stage_checks (
  id bigint generated always as identity primary key,
  customer_id uuid not null
);
create index stage_checks_of_customer on stage_checks (customer_id);
comment on table stage_checks is 'Customers whose stage may have changed. Only ever added to and taken from, so that nobody waits for it';

create function stage_check_of_customer() returns trigger language plpgsql as $$
begin
  insert into stage_checks (customer_id) values (new.customer_id);
  return null;
end $$;
create function stage_check_of_project() returns trigger language plpgsql as $$
begin
  insert into stage_checks (customer_id) select projects.customer_id from projects where projects.id = new.project_id;
  return null;
end $$;
create function stage_check_of_appointment() returns trigger language plpgsql as $$
begin
  insert into stage_checks (customer_id) select appointments.customer_id from appointments where appointments.id = new.appointment_id;
  return null;
end $$;
create trigger projects_staged after insert or update on projects for each row execute function stage_check_of_customer();
create trigger appointments_staged after insert or update of state, outcome, starts_at, project_id on appointments
  for each row execute function stage_check_of_customer();
create trigger quotes_staged after insert or update of state, answered_at on quotes for each row execute function stage_check_of_customer();
create trigger payments_staged after insert or update of state, amount on payments for each row execute function stage_check_of_customer();
create trigger addresses_staged after insert or update on addresses for each row execute function stage_check_of_project();
create trigger sheets_staged after insert or update of state on sheets for each row execute function stage_check_of_appointment();
-- Whether an installation is possible may be put right after its report was sent.
create trigger sheet_answers_staged after insert or update on sheet_answers for each row
  when (new.name in ('feasibility', 'feasibilityReason')) execute function stage_check_of_appointment();
create trigger move_offers_staged after insert or update of answer on move_offers for each row execute function stage_check_of_appointment();
create trigger faults_staged after insert or update on faults for each row execute function stage_check_of_appointment();
create trigger clients_staged after insert or update of customer_id on clients for each row
  when (new.customer_id is not null) execute function stage_check_of_customer();
insert into stage_checks (customer_id) select customer_id from clients where customer_id is not null;

alter table documents alter column customer_id drop not null;
alter table documents add column agency_id uuid references agencies;
alter table documents drop constraint documents_purpose_known;
alter table documents
  add constraint documents_purpose_known check (purpose in
    ('payment_proof', 'refund_proof', 'constancia', 'invoice_xml', 'invoice_pdf', 'condominium_permit', 'commission_proof')),
  add constraint documents_of_one check (num_nonnulls(customer_id, agency_id) = 1),
  add constraint documents_of_agencies check ((agency_id is not null) = (purpose = 'commission_proof'));
create index documents_of_agency on documents (agency_id) where agency_id is not null;

create table commission_payouts (
  id uuid primary key default uuidv7(),
  agency_id uuid not null references agencies,
  amount bigint not null,
  paid_on date not null,
  reference text not null,
  proof_id uuid not null references documents,
  paid_by uuid not null references users,
  request_key uuid not null constraint commission_payouts_request_key_unique unique,
  created_at timestamptz not null default now(),
  constraint commission_payouts_amount_positive check (amount > 0),
  constraint commission_payouts_reference_length check (char_length(reference) between 1 and 60)
);
create index commission_payouts_of_agency on commission_payouts (agency_id, paid_on, id);
comment on table commission_payouts is 'A transfer to an agency; its commissions and adjustments name it';

create table commissions (
  id uuid primary key default uuidv7(),
  kind text not null,
  state text not null default 'pending',
  agency_id uuid not null references agencies,
  ally_id uuid references users,
  project_id uuid not null references projects,
  quote_id uuid not null references quotes,
  appointment_id uuid not null references appointments,
  adjusts_id uuid references commissions,
  basis bigint not null default 0,
  terms_kind text not null,
  terms_value int not null,
  amount bigint not null,
  reason text,
  earned_at timestamptz not null,
  approved_at timestamptz,
  payout_id uuid references commission_payouts,
  made_by uuid references users,
  request_key uuid constraint commissions_request_key_unique unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint commissions_kind_known check (kind in ('commission', 'adjustment')),
  constraint commissions_state_known check (state in ('pending', 'approved', 'paid')),
  constraint commissions_terms_known check (terms_kind in ('percent', 'amount')),
  constraint commissions_sign check (case kind when 'commission' then amount >= 0 and adjusts_id is null
    else amount < 0 and adjusts_id is not null and reason is not null and made_by is not null end),
  constraint commissions_paid_whole check ((state = 'paid') = (payout_id is not null)),
  constraint commissions_approved_whole check (state = 'pending' or approved_at is not null)
);
create unique index commissions_one_of_installation on commissions (appointment_id) where kind = 'commission';
create unique index commissions_one_of_quote on commissions (quote_id) where kind = 'commission';
create index commissions_of_agency on commissions (agency_id, earned_at, id);
create index commissions_to_approve on commissions (earned_at) where state = 'pending';
create index commissions_of_payout on commissions (payout_id) where payout_id is not null;
create index commissions_adjusting on commissions (adjusts_id) where adjusts_id is not null;
comment on table commissions is 'What an agency earned by a finished installation; an adjustment is a negative row';
comment on column commissions.basis is 'The accepted price without IVA that a percentage is of';
comment on column commissions.quote_id is 'The accepted quote it is of: a second installation of the same quote earns nothing more';
comment on column commissions.earned_at is 'When the installation was finished; of an adjustment, when it was made';
comment on column commissions.request_key is 'Of an adjustment''s form: sent twice, it is one adjustment';

-- A row that was paid is history, and none is ever deleted.
create function commissions_freeze() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.state = 'paid'
    or (new.amount, new.basis, new.terms_kind, new.terms_value, new.agency_id, new.quote_id, new.appointment_id, new.kind,
        new.adjusts_id, new.earned_at)
      is distinct from (old.amount, old.basis, old.terms_kind, old.terms_value, old.agency_id, old.quote_id,
        old.appointment_id, old.kind, old.adjusts_id, old.earned_at) then
    raise exception 'a commission is frozen' using errcode = 'restrict_violation', constraint = 'commissions_frozen';
  end if;
  return new;
end $$;
create trigger commissions_frozen before update or delete on commissions for each row execute function commissions_freeze();

-- Adjustments never take more than their commission came to, whoever writes them.
create function commissions_cover() returns trigger language plpgsql as $$
declare adjusted commissions;
begin
  select * into adjusted from commissions where id = new.adjusts_id for update;
  if adjusted.kind <> 'commission' or adjusted.agency_id <> new.agency_id
    or adjusted.amount + new.amount
      + coalesce((select sum(amount) from commissions where adjusts_id = new.adjusts_id), 0) < 0 then
    raise exception 'an adjustment takes more than stands' using errcode = 'restrict_violation', constraint = 'commissions_covered';
  end if;
  return new;
end $$;
create trigger commissions_covered before insert on commissions for each row when (new.adjusts_id is not null)
  execute function commissions_cover();
create function commission_payouts_freeze() returns trigger language plpgsql as $$
begin
  raise exception 'a payout is frozen' using errcode = 'restrict_violation', constraint = 'commission_payouts_frozen';
end $$;
create trigger commission_payouts_frozen before update or delete on commission_payouts
  for each row execute function commission_payouts_freeze();

-- At the commit a payout is what its rows come to, to the centavo, all of them its own agency's.
create function commission_payouts_match() returns trigger language plpgsql as $$
declare payout commission_payouts;
begin
  select * into payout from commission_payouts
    where id = (case when tg_table_name = 'commission_payouts' then to_jsonb(new) ->> 'id' else to_jsonb(new) ->> 'payout_id' end)::uuid;
  if payout.amount is distinct from (select sum(amount) from commissions where payout_id = payout.id)
    or exists (select from commissions where payout_id = payout.id and agency_id <> payout.agency_id) then
    raise exception 'a payout is not the sum of its rows' using errcode = 'restrict_violation', constraint = 'commission_payouts_matched';
  end if;
  return null;
end $$;
create constraint trigger commission_payouts_matched after insert on commission_payouts
  deferrable initially deferred for each row execute function commission_payouts_match();
create constraint trigger commissions_matched after insert or update on commissions
  deferrable initially deferred for each row when (new.payout_id is not null) execute function commission_payouts_match();

create table api_keys (
  id uuid primary key default uuidv7(),
  agency_id uuid not null references agencies,
  name text not null,
  prefix text not null,
  key_hash text not null constraint api_keys_hash_unique unique,
  scopes text[] not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  made_by uuid not null references users,
  revoked_at timestamptz,
  revoked_by uuid references users,
  created_at timestamptz not null default now(),
  constraint api_keys_name_length check (char_length(name) between 1 and 80),
  constraint api_keys_hash_shape check (key_hash ~ '^[0-9a-f]{64}$'),
  constraint api_keys_scopes_known check (scopes <@ array['clients:read', 'clients:write', 'codes:read', 'events:read', 'events:replay']
    and cardinality(scopes) > 0),
  constraint api_keys_revoked_whole check ((revoked_at is null) = (revoked_by is null))
);
create index api_keys_of_agency on api_keys (agency_id, created_at);
comment on table api_keys is 'By which a dealership''s own system signs in; the key itself is shown once and kept nowhere';

create table api_requests (
  api_key_id uuid not null references api_keys,
  idempotency_key text not null,
  digest text not null,
  status int not null,
  answer jsonb not null,
  created_at timestamptz not null default now(),
  primary key (api_key_id, idempotency_key)
);
create index api_requests_to_forget on api_requests (created_at);
comment on table api_requests is 'What was answered to a request that may be sent again; forgotten after a day';

create table webhook_endpoints (
  id uuid primary key default uuidv7(),
  agency_id uuid not null references agencies,
  url text not null,
  secret text not null,
  previous_secret text,
  previous_until timestamptz,
  active boolean not null default true,
  made_by uuid not null references users,
  failing_since timestamptz,
  stopped_at timestamptz,
  stopped_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint webhook_endpoints_url_unique unique (agency_id, url),
  constraint webhook_endpoints_url_length check (char_length(url) <= 500),
  constraint webhook_endpoints_previous_whole check ((previous_secret is null) = (previous_until is null)),
  constraint webhook_endpoints_stop_told check (active = (stopped_at is null) and active = (stopped_reason is null)),
  constraint webhook_endpoints_stop_known check (stopped_reason in ('manager', 'failing', 'gone'))
);
create index webhook_endpoints_of_agency on webhook_endpoints (agency_id, created_at);
comment on column webhook_endpoints.secret is 'Sealed under the key of the application';
comment on column webhook_endpoints.previous_secret is 'The one before, sealed, that messages are signed with too until previous_until';
comment on column webhook_endpoints.failing_since is 'The first try since when none was taken';

create table webhook_events (
  id uuid primary key default uuidv7(),
  agency_id uuid not null references agencies,
  client_id uuid references clients,
  type text not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  constraint webhook_events_type_known check (type in ('client.stage_changed', 'webhook.test'))
);
create index webhook_events_of_agency on webhook_events (agency_id, id);
create index webhook_events_to_forget on webhook_events (created_at);
comment on table webhook_events is 'What agencies'' own systems are told of, forgotten after 90 days';

create table webhook_deliveries (
  id uuid primary key default uuidv7(),
  endpoint_id uuid not null references webhook_endpoints,
  event_id uuid not null references webhook_events,
  state text not null default 'pending',
  tries int not null default 0,
  next_try_at timestamptz,
  last_status int,
  last_error text,
  delivered_at timestamptz,
  replayed_by uuid references users,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint webhook_deliveries_state_known check (state in ('pending', 'delivered', 'dead')),
  constraint webhook_deliveries_next_told check ((state = 'pending') = (next_try_at is not null)),
  constraint webhook_deliveries_delivered_told check ((state = 'delivered') = (delivered_at is not null))
);
create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, created_at);
create index webhook_deliveries_of_event on webhook_deliveries (event_id);
create index webhook_deliveries_waiting on webhook_deliveries (next_try_at) where state = 'pending';
comment on table webhook_deliveries is 'An event on its way to one endpoint; sent again by hand, it is another';

alter table tasks add column code_id uuid references codes;
