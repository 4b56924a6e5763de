-- From which network (hashed) an appointment was booked by somebody whose mailbox nobody proved, so that those still active
-- are counted by it. Rows go within a day: by then the mailbox is proved, or the appointment was let go.
create table unproved_bookings (
  appointment_id uuid constraint unproved_bookings_pkey primary key
    constraint unproved_bookings_appointment_fkey references appointments (id) on delete cascade,
  network text not null
);

create index unproved_bookings_by_network on unproved_bookings (network);

-- Since when a refund goes to the account it names; null of those told before.
alter table refunds add column account_at timestamptz;
