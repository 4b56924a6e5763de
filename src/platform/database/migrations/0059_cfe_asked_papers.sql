-- Papers that CFE asks for beside those a case always needs (decision 0147): one of the known ones, or up to three others
-- with a name of their own. `asked_from` says who provides it; null for the papers that the case needs by itself.
alter table cfe_papers add column label text;
alter table cfe_papers add column asked_from text;
alter table cfe_papers drop constraint cfe_papers_name_known;
alter table cfe_papers add constraint cfe_papers_name_known check (name in ('official_id', 'bill', 'constancia', 'property',
  'power', 'condominium_permit', 'sketch', 'charger_sheet', 'uvie_report', 'feasibility', 'other_1', 'other_2',
  'other_3')) not valid;
alter table cfe_papers add constraint cfe_papers_label_length check (char_length(label) between 1 and 80) not valid;
alter table cfe_papers add constraint cfe_papers_asked_from_known check (asked_from in ('customer', 'gester')) not valid;
alter table cfe_papers add constraint cfe_papers_other_named check
  ((name in ('other_1', 'other_2', 'other_3')) = (label is not null)) not valid;
