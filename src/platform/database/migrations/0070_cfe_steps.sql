-- The day on which the last step of a case was made, what proves its contract and its meter, and what that step replaced.
alter table cfe_cases
  add column stepped_on date,
  add column contract_number text constraint cfe_cases_contract_length check (char_length(contract_number) <= 40),
  add column new_meter_number text constraint cfe_cases_new_meter_length check (char_length(new_meter_number) <= 20),
  add column undo jsonb;
-- The photo of the meter stands among the papers; its label is stored for the version before, which has no name for it.
alter table cfe_papers drop constraint cfe_papers_name_known;
alter table cfe_papers add constraint cfe_papers_name_known check (name in ('official_id', 'bill', 'constancia', 'property',
  'power', 'condominium_permit', 'sketch', 'charger_sheet', 'uvie_report', 'feasibility', 'other_1', 'other_2',
  'other_3', 'meter_photo')) not valid;
alter table cfe_papers drop constraint cfe_papers_other_named;
alter table cfe_papers add constraint cfe_papers_other_named check
  ((name in ('other_1', 'other_2', 'other_3', 'meter_photo')) = (label is not null)) not valid;
