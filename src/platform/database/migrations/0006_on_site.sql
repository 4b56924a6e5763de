-- On-site work: the visit report and the installation record, what is answered in them, their photos and signatures, and
-- the faults that a customer reports during the warranty.

create table sheets (
  appointment_id uuid primary key references appointments,
  kind text not null,
  state text not null default 'draft',
  submitted_at timestamptz,
  submitted_by uuid references users,
  captured_at timestamptz,
  reviewed_at timestamptz,
  reviewed_by uuid references users,
  return_reason text,
  redo jsonb not null default '{}',
  charger_brand text,
  charger_serial text,
  warranty_until date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint sheets_kind_known check (kind in ('visit', 'installation')),
  constraint sheets_state_known check (state in ('draft', 'submitted', 'approved', 'returned')),
  constraint sheets_submitted_known check (state = 'draft' or (submitted_at is not null and submitted_by is not null)),
  constraint sheets_reviewed_known check (state not in ('approved', 'returned') or (reviewed_at is not null and reviewed_by is not null)),
  constraint sheets_return_told check (state <> 'returned' or return_reason is not null)
);
create unique index sheets_serial_once on sheets (lower(charger_brand), upper(charger_serial)) where charger_serial is not null;
create index sheets_in_review on sheets (submitted_at) where state = 'submitted';
create index sheets_returned on sheets (submitted_by) where state = 'returned';
comment on table sheets is 'What a technician fills in on site: a visit report or an installation record, one per appointment';
comment on column sheets.captured_at is 'When it was sent on the phone; submitted_at is when it arrived';
comment on column sheets.redo is 'The answers and slots that whoever returned it asks for again, each with the revision or the file it had then';
comment on column sheets.warranty_until is 'Last day of the warranty of an installation, in Mexico City';

create table sheet_answers (
  appointment_id uuid not null references appointments,
  name text not null,
  value jsonb,
  revision int not null default 1,
  changed_at timestamptz not null,
  arrived_at timestamptz not null default now(),
  changed_by uuid not null references users,
  constraint sheet_answers_key primary key (appointment_id, name),
  constraint sheet_answers_length check (pg_column_size(value) < 20000)
);
comment on column sheet_answers.revision is 'Of this answer alone: a change says on which one it was made, so that nothing is overwritten unseen';
comment on column sheet_answers.changed_at is 'When it was typed, by the clock of the phone; arrived_at is when we heard of it';

create table faults (
  id uuid primary key,
  appointment_id uuid not null references appointments,
  customer_id uuid not null references users,
  description text not null,
  visit_id uuid references appointments,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint faults_description_length check (char_length(description) between 1 and 2000)
);
create unique index faults_one_open on faults (appointment_id) where closed_at is null;
create index faults_of_visit on faults (visit_id) where visit_id is not null;
comment on table faults is 'What a customer reports about an installation during its warranty; visit_id is the visit that answers it';

create table files (
  id uuid primary key,
  appointment_id uuid not null references appointments,
  slot text not null,
  fault_id uuid references faults,
  sent_sha256 text not null,
  sha256 text not null,
  type text not null,
  bytes int not null,
  width int not null,
  height int not null,
  captured_at timestamptz not null,
  arrived_at timestamptz not null default now(),
  kept_because text,
  uploaded_by uuid not null references users,
  replaced_at timestamptz,
  constraint files_hashes check (sent_sha256 ~ '^[0-9a-f]{64}$' and sha256 ~ '^[0-9a-f]{64}$'),
  constraint files_type_known check (type in ('image/jpeg', 'image/png'))
);
create unique index files_one_per_slot on files (appointment_id, slot) where replaced_at is null and fault_id is null;
create unique index files_one_per_fault_slot on files (fault_id, slot) where replaced_at is null and fault_id is not null;
create index files_of_appointment on files (appointment_id);
comment on table files is 'Photos and signatures; the pictures themselves lie in the store of files under appointment, id and what was sent';
comment on column files.id is 'Made where it was taken, so that sending it twice stores it once';
comment on column files.sent_sha256 is 'Of what was sent; sha256 is of the full picture as we keep and hand it out';
comment on column files.captured_at is 'When it was taken, by the clock of the phone; arrived_at is when we got it';
comment on column files.kept_because is 'Why a picture that the phone warned about was kept';
comment on column files.replaced_at is 'When a later one took its slot, or it was taken out';
