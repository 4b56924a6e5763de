-- Cases with CFE: what is asked for, whose turn it is, and the papers. Everything here is new; the version before knows
-- nothing of it and goes on beside it.

create table cfe_cases (
  id uuid primary key default uuidv7(),
  folio text not null constraint cfe_cases_folio_unique unique,
  project_id uuid not null references projects,
  customer_id uuid not null references users,
  kind text not null,
  state text not null default 'gathering',
  held_from text,
  gester_id uuid references users,
  quote_id uuid references quotes,
  opened_by uuid references users,
  holder_name text,
  service_number text,
  meter_number text,
  pole_metres numeric(4, 1),
  charger_kilowatts numeric(4, 1),
  is_three_phase boolean not null default false,
  needs_permit boolean not null default false,
  needs_uvie boolean not null default false,
  request_number text,
  filed_at timestamptz,
  corrected_by text,
  reason text,
  hold_reason text,
  waiting_on text not null default 'none',
  waiting_since timestamptz not null default now(),
  due_on date,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint cfe_cases_kind_known check (kind in ('second_meter', 'load_increase', 'new_service', 'name_change')),
  constraint cfe_cases_state_known check (state in ('gathering', 'ready_to_file', 'filed', 'inspection', 'observed',
    'corrected', 'approved', 'contract_signed', 'meter_installed', 'closed', 'on_hold', 'rejected', 'cancelled')),
  constraint cfe_cases_held check ((held_from is not null) = (state = 'on_hold')),
  constraint cfe_cases_waiting_known check (waiting_on in ('customer', 'gester', 'cfe', 'none')),
  constraint cfe_cases_over check ((closed_at is not null) = (state in ('closed', 'rejected', 'cancelled'))),
  constraint cfe_cases_corrected_by_known check (corrected_by in ('customer', 'gester')),
  constraint cfe_cases_pole_range check (pole_metres between 0 and 300)
);
create unique index cfe_cases_one_open on cfe_cases (project_id, kind) where closed_at is null;
create index cfe_cases_of_project on cfe_cases (project_id);
create index cfe_cases_by_turn on cfe_cases (waiting_on, due_on) where closed_at is null;
create index cfe_cases_of_gester on cfe_cases (gester_id) where closed_at is null;
comment on table cfe_cases is 'Paperwork with CFE for a project; one open case of a kind at a time';
comment on column cfe_cases.quote_id is 'The accepted quote by which the rule opened it; null when somebody did by hand';
comment on column cfe_cases.holder_name is 'Whose name the service is in, where that is not the customer';
comment on column cfe_cases.waiting_on is 'Whose turn it is (domain/cfe-case.ts), kept so that lists can be narrowed and sorted by it';
comment on column cfe_cases.due_on is 'The last local date on which this turn is not overdue';

create table cfe_papers (
  case_id uuid not null references cfe_cases,
  name text not null,
  state text not null default 'pending',
  document_id uuid references documents,
  reason text,
  received_at timestamptz,
  reviewed_by uuid references users,
  reviewed_at timestamptz,
  constraint cfe_papers_pk primary key (case_id, name),
  constraint cfe_papers_name_known check (name in ('official_id', 'bill', 'constancia', 'property', 'power',
    'condominium_permit', 'sketch', 'charger_sheet', 'uvie_report', 'feasibility')),
  constraint cfe_papers_state_known check (state in ('pending', 'received', 'validated', 'rejected')),
  constraint cfe_papers_received check (state = 'pending' or document_id is not null),
  constraint cfe_papers_reason check ((reason is not null) = (state = 'rejected'))
);
create index cfe_papers_by_document on cfe_papers (document_id) where document_id is not null;
comment on table cfe_papers is 'What CFE wants of a case, handed in or not; the file is a row of documents';

-- A stage may follow from a case.
create trigger cfe_cases_staged after insert or update of state, waiting_on on cfe_cases
  for each row execute function stage_check_of_customer();

-- Visits whose report asks for paperwork, which is what gesters read and cases are opened for: few rows of many. A file is
-- one transaction, so it is not made concurrently: who answers a sheet meanwhile waits, some seconds for ten million answers.
create index sheet_answers_need_paperwork on sheet_answers (appointment_id)
  where (name = 'meterChoice' and value = '"second"') or (name in ('loadIncrease', 'needsUvie') and value = 'true');

-- One value more; nothing that is there is in its way, so there is nothing to look through.
alter table documents drop constraint documents_purpose_known;
alter table documents add constraint documents_purpose_known check (purpose in
  ('payment_proof', 'refund_proof', 'constancia', 'invoice_xml', 'invoice_pdf', 'condominium_permit', 'commission_proof',
   'cfe_paper')) not valid;
