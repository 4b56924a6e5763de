-- By what a customer knows who comes: a small portrait, made anew from what was uploaded, and the vehicle. It goes with the
-- account, and with the rights that it was for.
create table visit_cards (
  user_id uuid primary key constraint visit_cards_user references users on delete cascade,
  vehicle text constraint visit_cards_vehicle check (char_length(vehicle) between 1 and 60),
  colour text constraint visit_cards_colour check (char_length(colour) between 1 and 30),
  plates text constraint visit_cards_plates check (char_length(plates) between 1 and 10),
  photo bytea constraint visit_cards_photo check (octet_length(photo) <= 262144),
  photo_tag text,
  updated_at timestamptz not null default now(),
  constraint visit_cards_tagged check ((photo is null) = (photo_tag is null))
);
