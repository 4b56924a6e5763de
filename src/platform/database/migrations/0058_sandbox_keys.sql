-- A key for trying the API (decision 0144): what it asks is checked as any other's, and neither reads nor writes anything of
-- its agency.
alter table api_keys add column sandbox boolean not null default false;
comment on column api_keys.sandbox is 'Answered with examples; reads and writes nothing of the agency';
