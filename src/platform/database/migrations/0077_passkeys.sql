-- Passkeys (WebAuthn): public keys of devices by which a person signs in without a password.
create table passkeys (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  name text not null,
  public_key text not null,
  credential_id text not null constraint passkeys_credential_unique unique,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_of_user on passkeys (user_id);

alter table two_factors add column by_passkey boolean not null default false;
comment on column two_factors.by_passkey is 'Turned on without an authenticator: a passkey answers, and nobody was shown the secret';
