-- One search over everything. By the beginnings of words, as the appointments' (0004): of half a million people those of
-- a common name are read in a few milliseconds, where the parts of words (users_by_text) take tens.
create function person_words(name text, lastname text, email text, phone text) returns tsvector
  language sql immutable parallel safe cost 100
  return weighted(concat_ws(' ', with_parts(name), with_parts(lastname), email, split_part(email, '@', 2), phone, right(phone, 8), right(phone, 4)),
    'A')::tsvector;
create function address_words(street text, outer_number text, colonia text, postal_code text) returns tsvector
  language sql immutable parallel safe cost 100
  return weighted(with_parts(concat_ws(' ', street, outer_number, colonia, postal_code)), 'A')::tsvector;
-- Not concurrently, as in 0028: some seconds over half a million people and as many homes. The short list of what was
-- written last is read whole by each search.
create index users_by_word on users using gin (person_words(name, lastname, email, phone)) with (gin_pending_list_limit = 64);
-- Not concurrently either: as many homes.
create index addresses_by_word on addresses using gin (address_words(street, outer_number, colonia, postal_code))
  with (gin_pending_list_limit = 64) where archived_at is null;
-- Not concurrently, as above. Who has a phone already, when a caller is registered with it.
create index users_by_phone on users (phone) where phone is not null;
-- Not concurrently, as above. The numbers that a bank and CFE give, of which callers read one out.
create index payments_by_tracking_key on payments (upper(tracking_key)) where tracking_key is not null;
-- As above: cases are few.
create index cfe_cases_by_request on cfe_cases (upper(request_number)) where request_number is not null;
-- As above.
create index cfe_cases_by_service on cfe_cases (service_number) where service_number is not null;
