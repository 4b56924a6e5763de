-- Papers of the people who visit homes, and of the company: the file, from when to when it counts, and who checked it.

create table staff_papers (
  id uuid primary key default uuidv7(),
  person_id uuid constraint staff_papers_person references users on delete cascade,
  kind text not null,
  number text not null,
  issued date not null,
  expires date not null,
  document_id uuid not null constraint staff_papers_document references documents,
  checked_at timestamptz,
  checked_by uuid constraint staff_papers_checker references users,
  created_at timestamptz not null default now(),
  warned smallint,
  constraint staff_papers_kind_known
    check (kind in ('ec0118', 'dc3_electric', 'dc3_heights', 'licence', 'liability', 'repse')),
  constraint staff_papers_of_company check ((person_id is null) = (kind in ('liability', 'repse'))),
  constraint staff_papers_number_length check (char_length(number) between 1 and 60),
  constraint staff_papers_in_order check (issued <= expires),
  constraint staff_papers_checked check ((checked_at is null) = (checked_by is null)),
  constraint staff_papers_not_own check (checked_by <> person_id)
);
comment on column staff_papers.person_id is 'Null: the company''s own';
comment on column staff_papers.warned is 'The fewest days before its end that its person was warned of';
create index staff_papers_by_person on staff_papers (person_id);
create index staff_papers_by_document on staff_papers (document_id);
-- A warning changes nothing of the roster.
create trigger staff_papers_bump after insert or delete or truncate
  or update of person_id, kind, issued, expires, checked_at on staff_papers
  for each statement execute function bump_roster_version();

-- The file of such a paper is neither a customer's nor an agency's.
alter table documents drop constraint documents_purpose_known;
alter table documents add constraint documents_purpose_known
  check (purpose in ('payment_proof', 'refund_proof', 'constancia', 'invoice_xml',
    'invoice_pdf', 'condominium_permit', 'commission_proof', 'cfe_paper', 'staff_paper')) not valid;
alter table documents drop constraint documents_of_one;
alter table documents add constraint documents_of_one
  check (num_nonnulls(customer_id, agency_id) = case purpose when 'staff_paper' then 0 else 1 end) not valid;
