-- Money: the price catalogue, quotes, payments, refunds, checkouts, documents, fiscal data, invoices. Amounts are whole
-- centavos; unit prices ten-thousandths of a peso without IVA.

create table catalogue_items (
  id uuid primary key default uuidv7(),
  code text not null constraint catalogue_items_code_unique unique,
  description text not null,
  kind text not null,
  unit text not null,
  unit_price bigint not null,
  iva smallint not null default 16,
  sat_product text not null,
  sat_unit text not null,
  active boolean not null default true,
  position int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint catalogue_items_kind_known check (kind in ('material', 'labor', 'equipment', 'paperwork', 'permit', 'travel')),
  constraint catalogue_items_price_range check (unit_price between 0 and 9999999999),
  constraint catalogue_items_iva_known check (iva in (0, 16)),
  constraint catalogue_items_sat_product_shape check (sat_product ~ '^[0-9]{8}$'),
  constraint catalogue_items_sat_unit_shape check (sat_unit ~ '^[A-Z0-9]{2,3}$')
);
comment on table catalogue_items is 'What quotes are made of; a draft copies its prices, so that a change changes only new drafts';
comment on column catalogue_items.code is 'By which the rules propose it';

insert into catalogue_items (code, description, kind, unit, unit_price, sat_product, sat_unit, position) values
  ('CAR-7', 'Cargador de hasta 7.7 kW, con garantía del fabricante', 'equipment', 'pieza', 94827600, '26111704', 'H87', 1),
  ('CAR-11', 'Cargador de hasta 11.5 kW, con garantía del fabricante', 'equipment', 'pieza', 128000000, '26111704', 'H87', 2),
  ('CAR-22', 'Cargador de hasta 22 kW, con garantía del fabricante', 'equipment', 'pieza', 172000000, '26111704', 'H87', 3),
  ('CAB-12', 'Cable de cobre THW calibre 12 AWG', 'material', 'm', 140000, '26121600', 'MTR', 4),
  ('CAB-10', 'Cable de cobre THW calibre 10 AWG', 'material', 'm', 220000, '26121600', 'MTR', 5),
  ('CAB-8', 'Cable de cobre THW calibre 8 AWG', 'material', 'm', 360000, '26121600', 'MTR', 6),
  ('CAB-6', 'Cable de cobre THW calibre 6 AWG', 'material', 'm', 560000, '26121600', 'MTR', 7),
  ('CAB-4', 'Cable de cobre THW calibre 4 AWG', 'material', 'm', 880000, '26121600', 'MTR', 8),
  ('CAB-3', 'Cable de cobre THW calibre 3 AWG', 'material', 'm', 1100000, '26121600', 'MTR', 9),
  ('CAB-2', 'Cable de cobre THW calibre 2 AWG', 'material', 'm', 1400000, '26121600', 'MTR', 10),
  ('CAB-1', 'Cable de cobre THW calibre 1 AWG', 'material', 'm', 1780000, '26121600', 'MTR', 11),
  ('TUB-VIS', 'Tubería visible con abrazaderas', 'material', 'm', 950000, '39131700', 'MTR', 12),
  ('TUB-EMP', 'Tubería empotrada, con ranura y resane', 'material', 'm', 2200000, '39131700', 'MTR', 13),
  ('TUB-SUB', 'Tubería subterránea, con zanja y relleno', 'material', 'm', 2600000, '39131700', 'MTR', 14),
  ('INT-1P-30', 'Interruptor termomagnético de 1 polo, de 15 a 30 A', 'material', 'pieza', 1800000, '39121600', 'H87', 15),
  ('INT-1P-60', 'Interruptor termomagnético de 1 polo, de 40 a 60 A', 'material', 'pieza', 2600000, '39121600', 'H87', 16),
  ('INT-1P-100', 'Interruptor termomagnético de 1 polo, de 70 a 100 A', 'material', 'pieza', 4800000, '39121600', 'H87', 17),
  ('INT-2P-30', 'Interruptor termomagnético de 2 polos, de 15 a 30 A', 'material', 'pieza', 3400000, '39121600', 'H87', 18),
  ('INT-2P-60', 'Interruptor termomagnético de 2 polos, de 40 a 60 A', 'material', 'pieza', 4200000, '39121600', 'H87', 19),
  ('INT-2P-100', 'Interruptor termomagnético de 2 polos, de 70 a 100 A', 'material', 'pieza', 9800000, '39121600', 'H87', 20),
  ('INT-3P-30', 'Interruptor termomagnético de 3 polos, de 15 a 30 A', 'material', 'pieza', 6200000, '39121600', 'H87', 21),
  ('INT-3P-60', 'Interruptor termomagnético de 3 polos, de 40 a 60 A', 'material', 'pieza', 7900000, '39121600', 'H87', 22),
  ('INT-3P-100', 'Interruptor termomagnético de 3 polos, de 70 a 100 A', 'material', 'pieza', 14800000, '39121600', 'H87', 23),
  ('CEN-8', 'Centro de carga de 8 espacios', 'material', 'pieza', 14500000, '39121000', 'H87', 24),
  ('TIE-VAR', 'Varilla de tierra física con registro', 'material', 'pieza', 13500000, '39121600', 'H87', 25),
  ('PRO-SOB', 'Supresor de picos para la línea del cargador', 'equipment', 'pieza', 14500000, '39121600', 'H87', 26),
  ('DES-60', 'Desconectador junto al cargador', 'equipment', 'pieza', 9800000, '39121600', 'H87', 27),
  ('SOP-CAB', 'Soporte para el cable del cargador', 'material', 'pieza', 2800000, '39131700', 'H87', 28),
  ('PED-1', 'Pedestal para el cargador, con su base', 'equipment', 'pieza', 32000000, '39121000', 'H87', 29),
  ('MO-BASE', 'Instalación y conexión del cargador', 'labor', 'servicio', 64000000, '72151500', 'E48', 30),
  ('MO-MET', 'Tendido de tubería y cable', 'labor', 'm', 950000, '72151500', 'MTR', 31),
  ('MO-HORA', 'Hora adicional de la cuadrilla', 'labor', 'hora', 3800000, '72151500', 'HUR', 32),
  ('MED-2', 'Obra para un segundo medidor', 'labor', 'servicio', 38793100, '72151500', 'E48', 33),
  ('PRU-1', 'Pruebas, puesta en marcha y capacitación', 'labor', 'servicio', 6500000, '72151500', 'E48', 34),
  ('MAN-1', 'Mantenimiento preventivo al año', 'labor', 'servicio', 12000000, '72151500', 'E48', 35),
  ('TRA-MED', 'Trámite de segundo medidor ante CFE', 'paperwork', 'trámite', 15000000, '80161500', 'E48', 36),
  ('TRA-CAR', 'Trámite de aumento de carga ante CFE', 'paperwork', 'trámite', 12000000, '80161500', 'E48', 37),
  ('TRA-FAC', 'Solicitud de factibilidad ante CFE', 'paperwork', 'trámite', 9000000, '80161500', 'E48', 38),
  ('UVIE-1', 'Dictamen de una unidad de inspección (UVIE)', 'permit', 'dictamen', 35000000, '80161500', 'E48', 39),
  ('PER-CON', 'Gestión del permiso del condominio', 'permit', 'trámite', 6000000, '80161500', 'E48', 40),
  ('VIA-1', 'Traslado de la cuadrilla', 'travel', 'servicio', 3500000, '72151500', 'E48', 41);

create table documents (
  id uuid primary key default uuidv7(),
  customer_id uuid not null references users,
  project_id uuid references projects,
  purpose text not null,
  name text not null,
  type text not null,
  bytes int not null,
  sha256 text not null,
  uploaded_by uuid not null references users,
  created_at timestamptz not null default now(),
  replaced_at timestamptz,
  constraint documents_purpose_known check (purpose in
    ('payment_proof', 'refund_proof', 'constancia', 'invoice_xml', 'invoice_pdf', 'condominium_permit')),
  constraint documents_type_known check (type in ('application/pdf', 'image/jpeg', 'image/png', 'application/xml')),
  constraint documents_hash check (sha256 ~ '^[0-9a-f]{64}$'),
  constraint documents_name_length check (char_length(name) between 1 and 200)
);
create index documents_of_customer on documents (customer_id, purpose);
create index documents_of_project on documents (project_id, purpose) where project_id is not null;
comment on table documents is 'Papers that people hand in; their bytes lie in the store of files under documents and id';

create table quotes (
  id uuid primary key default uuidv7(),
  folio text not null,
  revision int not null default 1,
  kind text not null default 'installation',
  project_id uuid not null references projects,
  customer_id uuid not null references users,
  agency_id uuid references agencies,
  appointment_id uuid not null references appointments,
  replaces_id uuid references quotes,
  state text not null default 'draft',
  content jsonb not null,
  addressee text,
  address jsonb,
  digest text,
  lowest_total bigint not null default 0,
  highest_total bigint not null default 0,
  discount_share int not null default 0,
  made_by uuid not null references users,
  sent_at timestamptz,
  sent_by uuid references users,
  viewed_at timestamptz,
  valid_until timestamptz,
  answered_at timestamptz,
  reason text,
  accepted_option text,
  accepted_add_ons text[] not null default '{}',
  accepted_total bigint,
  deposit_amount bigint,
  accepted_name text,
  accepted_ip text,
  accepted_digest text,
  accepted_at timestamptz,
  ended_at timestamptz,
  reminded_3d_at timestamptz,
  reminded_1d_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint quotes_revision_unique unique (folio, revision),
  constraint quotes_kind_known check (kind in ('installation', 'extra_work')),
  constraint quotes_state_known check (state in ('draft', 'sent', 'viewed', 'accepted', 'rejected', 'changes_requested',
    'expired', 'withdrawn', 'superseded', 'cancelled', 'lapsed')),
  constraint quotes_sent_whole check (state in ('draft', 'withdrawn')
    or (digest is not null and sent_at is not null and valid_until is not null)),
  constraint quotes_accepted_whole check (state not in ('accepted', 'cancelled', 'lapsed')
    or (accepted_option is not null and accepted_total is not null and deposit_amount between 0 and accepted_total
      and accepted_name is not null and accepted_at is not null and accepted_digest = digest))
);
create unique index quotes_one_draft on quotes (project_id, kind) where state = 'draft';
create unique index quotes_one_open on quotes (project_id, kind) where state in ('sent', 'viewed');
create unique index quotes_one_accepted on quotes (project_id) where state = 'accepted' and kind = 'installation';
create index quotes_of_project on quotes (project_id, revision);
create index quotes_of_appointment on quotes (appointment_id);
create index quotes_of_customer on quotes (customer_id);
create index quotes_listed on quotes (state, created_at, id);
create index quotes_listed_by_agency on quotes (agency_id, state, created_at, id) where agency_id is not null;
create index quotes_to_end on quotes (valid_until) where state in ('sent', 'viewed', 'accepted');
comment on table quotes is 'One row for each version of a quote; versions share the folio';
comment on column quotes.appointment_id is 'The visit it follows from; of extra work the installation it is made for';
comment on column quotes.agency_id is 'That of its project, kept by a trigger: whose allies see it';
comment on column quotes.addressee is 'Whose name, and address, was the one when it was sent: what the digest is of, and what its paper says';
comment on column quotes.digest is 'SHA-256 of the canonical JSON of what was sent: folio, revision, addressee, address, content';
comment on column quotes.lowest_total is 'Of its options, IVA included; draft, sent or not';
comment on column quotes.discount_share is 'The largest discount of its options, in hundredths of a percent of what the lines come to';

create function quotes_fill() returns trigger language plpgsql as $$
begin
  select projects.agency_id into new.agency_id from projects where projects.id = new.project_id for share;
  return new;
end $$;
create trigger quotes_filled before insert or update of project_id on quotes for each row execute function quotes_fill();
create function projects_refill_quotes() returns trigger language plpgsql as $$
begin
  update quotes set agency_id = new.agency_id where project_id = new.id;
  return null;
end $$;
create trigger projects_refilled_quotes after update of agency_id on projects for each row
  when (old.agency_id is distinct from new.agency_id) execute function projects_refill_quotes();

-- What a customer was sent, or has agreed to, is never written again.
create function quotes_freeze() returns trigger language plpgsql as $$
begin
  if old.state <> 'draft' and (new.content, new.digest, new.folio, new.revision, new.sent_at, new.valid_until, new.project_id)
      is distinct from (old.content, old.digest, old.folio, old.revision, old.sent_at, old.valid_until, old.project_id) then
    raise exception 'a quote that was sent is frozen' using errcode = 'restrict_violation', constraint = 'quotes_frozen';
  end if;
  if old.accepted_at is not null and (new.accepted_option, new.accepted_add_ons, new.accepted_total, new.deposit_amount,
      new.accepted_name, new.accepted_digest, new.accepted_at) is distinct from (old.accepted_option, old.accepted_add_ons,
      old.accepted_total, old.deposit_amount, old.accepted_name, old.accepted_digest, old.accepted_at) then
    raise exception 'an acceptance is frozen' using errcode = 'restrict_violation', constraint = 'quotes_frozen';
  end if;
  return new;
end $$;
create trigger quotes_frozen before update on quotes for each row execute function quotes_freeze();

create table refunds (
  id uuid primary key default uuidv7(),
  folio text not null constraint refunds_folio_unique unique,
  project_id uuid not null references projects,
  customer_id uuid not null references users,
  quote_id uuid references quotes,
  state text not null default 'requested',
  amount bigint not null,
  materials bigint not null default 0,
  reason text not null,
  requested_by uuid references users,
  method text,
  source_id uuid,
  clabe text,
  beneficiary text,
  decided_by uuid references users,
  decided_at timestamptz,
  refused_reason text,
  proof_id uuid references documents,
  paid_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint refunds_state_known check (state in ('requested', 'approved', 'paid', 'refused')),
  constraint refunds_amount_positive check (amount > 0),
  constraint refunds_method_known check (method in ('spei', 'card', 'cash', 'terminal')),
  constraint refunds_clabe_shape check (clabe ~ '^[0-9]{18}$'),
  constraint refunds_materials check (materials >= 0),
  constraint refunds_decided check ((state = 'requested') = (decided_at is null)
    and (state in ('requested', 'refused') or decided_by is not null or method = 'card')),
  constraint refunds_refusal_told check (state <> 'refused' or refused_reason is not null)
);
create unique index refunds_one_open on refunds (project_id) where state in ('requested', 'approved');
comment on table refunds is 'Money to be given back; once paid, a negative row of payments says so';
comment on column refunds.requested_by is 'Null when the product proposed it';
comment on column refunds.decided_by is 'Null when somebody gave a card payment back at Stripe''s own pages, or nothing was left to give back';
comment on column refunds.materials is 'What was bought for a quote that was cancelled, and is kept';
comment on column refunds.source_id is 'The card payment that goes back the way it came';

create table payments (
  id uuid primary key default uuidv7(),
  folio text not null constraint payments_folio_unique unique,
  project_id uuid not null references projects,
  customer_id uuid not null references users,
  quote_id uuid references quotes,
  appointment_id uuid references appointments,
  refund_id uuid references refunds,
  concept text not null,
  method text,
  state text not null default 'pending',
  amount bigint not null,
  due_at timestamptz,
  expires_at timestamptz,
  bank text,
  tracking_key text,
  proof_id uuid references documents,
  proof_sent_at timestamptz,
  rejected_reason text,
  reviewed_by uuid references users,
  reviewed_at timestamptz,
  paid_at timestamptz,
  recorded_by uuid references users,
  note text,
  card_reference text constraint payments_card_reference_unique unique,
  card_funding text,
  voucher_expires_at timestamptz,
  follows_id uuid references payments,
  fee_outcome text,
  reminded_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint payments_concept_known check (concept in ('visit_fee', 'deposit', 'balance', 'cfe_paperwork', 'extra_work', 'refund')),
  constraint payments_method_known check (method in ('spei', 'card', 'cash', 'terminal', 'oxxo')),
  constraint payments_state_known check (state in ('pending', 'in_review', 'paid', 'expired', 'cancelled')),
  constraint payments_fee_outcome check (fee_outcome is null
    or (concept = 'visit_fee' and fee_outcome in ('credited', 'kept', 'returned'))),
  constraint payments_sign check (case when concept = 'refund' then amount < 0 and state = 'paid' and refund_id is not null else amount > 0 end),
  constraint payments_paid_whole check ((state = 'paid') = (paid_at is not null) and (state <> 'paid' or method is not null)),
  constraint payments_reviewed_whole check (state <> 'in_review' or (method = 'spei' and tracking_key is not null and proof_id is not null))
);
alter table refunds add constraint refunds_source foreign key (source_id) references payments;
create unique index payments_tracking_key_once on payments (lower(bank), upper(tracking_key))
  where tracking_key is not null and state in ('in_review', 'paid');
create unique index payments_one_refund on payments (refund_id) where refund_id is not null;
create unique index payments_one_demand on payments (quote_id, concept) where state in ('pending', 'in_review') and quote_id is not null;
create unique index payments_one_fee on payments (appointment_id) where concept = 'visit_fee' and state in ('pending', 'in_review');
create index payments_of_project on payments (project_id, created_at);
create index payments_of_customer on payments (customer_id, created_at);
create index payments_in_review on payments (proof_sent_at) where state = 'in_review';
create index payments_to_end on payments (expires_at) where state = 'pending' and expires_at is not null;
create index payments_paid on payments (paid_at) where state = 'paid';
comment on table payments is 'What is asked for, and what came in; a refund is a negative row. The sum of what is paid is what we hold';
comment on column payments.card_reference is 'The payment intent of Stripe, or its refund: each is recorded once';
comment on column payments.card_funding is 'credit, debit, prepaid or unknown, as the card''s bank says';
comment on column payments.fee_outcome is 'What became of a visit''s fee: part of the quote''s price, kept, or to be given back';
comment on column payments.follows_id is 'The payment whose rest this one asks for';

-- A row that was paid is history: only that its receipt or invoice is known may be added elsewhere.
create function payments_freeze() returns trigger language plpgsql as $$
begin
  if old.state = 'paid' and (new.state, new.amount, new.paid_at, new.method, new.concept, new.project_id)
      is distinct from (old.state, old.amount, old.paid_at, old.method, old.concept, old.project_id) then
    raise exception 'a payment that was paid is frozen' using errcode = 'restrict_violation', constraint = 'payments_frozen';
  end if;
  return new;
end $$;
create trigger payments_frozen before update on payments for each row execute function payments_freeze();
create function payments_keep() returns trigger language plpgsql as $$
begin
  raise exception 'a payment is never deleted' using errcode = 'restrict_violation', constraint = 'payments_frozen';
end $$;
create trigger payments_kept before delete on payments for each row execute function payments_keep();

create table checkouts (
  id uuid primary key default uuidv7(),
  payment_id uuid not null references payments,
  session text constraint checkouts_session_unique unique,
  state text not null default 'opening',
  amount bigint not null,
  url text,
  intent text,
  expires_at timestamptz not null,
  looked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint checkouts_state_known check (state in ('opening', 'open', 'waiting', 'paid', 'failed', 'expired')),
  constraint checkouts_opened_whole check (state not in ('open', 'waiting', 'paid') or session is not null),
  constraint checkouts_amount_positive check (amount > 0)
);
create unique index checkouts_one_open on checkouts (payment_id) where state in ('opening', 'open');
create index checkouts_of_payment on checkouts (payment_id, created_at);
create index checkouts_to_look_at on checkouts (created_at) where state in ('opening', 'open', 'waiting');
comment on table checkouts is 'Pages of Stripe on which a payment is being made';
comment on column checkouts.session is 'Stripe''s name of it; null until Stripe answered: the row is written first, so that no page is lost sight of';
comment on column checkouts.state is 'waiting: finished on the page, and the money comes later, as with a voucher of OXXO';
comment on column checkouts.url is 'Where it is paid; of a voucher, where it is seen';

create table stripe_events (
  id text primary key,
  type text not null,
  outcome text not null,
  received_at timestamptz not null default now()
);
comment on table stripe_events is 'What Stripe told us, each once; outcome says what became of it';

create table fiscal_data (
  customer_id uuid primary key references users,
  state text not null default 'draft',
  rfc text not null,
  legal_name text not null,
  regime text not null,
  cfdi_use text not null,
  postal_code text not null,
  email text not null,
  constancia_id uuid references documents,
  rejected_reason text,
  submitted_at timestamptz,
  reviewed_by uuid references users,
  reviewed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint fiscal_data_state_known check (state in ('draft', 'submitted', 'verified', 'rejected')),
  constraint fiscal_data_rfc_shape check (rfc ~ '^[A-ZÑ&]{3,4}[0-9]{6}[A-Z0-9]{3}$'),
  constraint fiscal_data_rejection_told check (state <> 'rejected' or rejected_reason is not null)
);
create index fiscal_data_to_verify on fiscal_data (submitted_at) where state = 'submitted';

create table invoices (
  id uuid primary key default uuidv7(),
  project_id uuid not null references projects,
  customer_id uuid not null references users,
  quote_id uuid references quotes,
  payment_id uuid references payments,
  relates_to_id uuid references invoices,
  kind text not null,
  state text not null default 'requested',
  request jsonb not null,
  total bigint not null,
  uuid text,
  xml_id uuid references documents,
  pdf_id uuid references documents,
  provider_id text,
  provider_error text,
  requested_by uuid references users,
  issued_at timestamptz,
  issued_by uuid references users,
  cancelled_at timestamptz,
  cancelled_by uuid references users,
  cancel_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version int not null default 1,
  constraint invoices_kind_known check (kind in ('income', 'payment', 'credit_note')),
  constraint invoices_state_known check (state in ('requested', 'issued', 'cancelled')),
  constraint invoices_issued_whole check (state <> 'issued' or (uuid is not null and xml_id is not null and issued_at is not null)),
  constraint invoices_cancel_told check (state <> 'cancelled' or cancel_reason is not null)
);
create unique index invoices_uuid_once on invoices (lower(uuid)) where uuid is not null;
create unique index invoices_one_of_quote on invoices (quote_id) where kind = 'income' and state <> 'cancelled' and quote_id is not null;
create unique index invoices_one_of_payment on invoices (payment_id, kind) where state <> 'cancelled' and payment_id is not null;
create index invoices_of_project on invoices (project_id, created_at);
create index invoices_requested on invoices (created_at) where state = 'requested';
comment on table invoices is 'What the SAT calls CFDI: asked for here, stamped elsewhere, its XML and PDF kept';
comment on column invoices.request is 'What docs/cfdi.schema.json describes, as it was asked for';
comment on column invoices.uuid is 'Folio fiscal, as the stamped XML says';

alter table tasks add column quote_id uuid references quotes;
