-- Who came from another system, so that a second run of the import makes nobody twice, nor brings back who had their
-- account deleted here.
create table imported_users (
  source text not null,
  source_id text not null,
  user_id uuid not null constraint imported_users_user references users on delete cascade,
  imported_at timestamptz not null default now(),
  constraint imported_users_once primary key (source, source_id)
);
comment on table imported_users is 'Accounts brought from another system, by the id they had there.';
