-- What the history of a customer reads besides: their faults, wishes and offers. Not concurrently, as in 0028: each of
-- these tables is small.
create index faults_of_customer on faults (customer_id);
-- As above.
create index slot_wishes_of_customer on slot_wishes (customer_id);
-- As above.
create index move_offers_of_appointment on move_offers (appointment_id);
-- What a caller reads out and the search did not know. Not concurrently: a second over half a million homes, of which few
-- name who receives.
create index addresses_by_receiver on addresses (receiver_phone) where receiver_phone is not null and archived_at is null;
-- As above: clients who have not joined are few.
create index clients_by_phone on clients (phone) where phone is not null and ended_at is null;
-- As above: movements without a payment are few.
create index bank_lines_open_by_key on bank_lines (upper(tracking_key)) where state = 'open' and tracking_key is not null;
-- As above: a few transfers a month.
create index commission_payouts_by_reference on commission_payouts (upper(reference));
-- What the system ended by itself since the last evening. Not concurrently, as 0033.
create index events_of_endings on events (at) where actor_id is null and name in ('letGo', 'expire', 'expired');
