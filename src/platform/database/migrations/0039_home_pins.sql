-- Where a home stands on a map, if its customer or the office said so. Not part of what an appointment or a quote copies of
-- an address.
alter table addresses add column latitude double precision, add column longitude double precision;
-- Every row is looked through for a moment, as the columns are new and empty: both or neither, and within Mexico.
alter table addresses
  add constraint addresses_pin_whole check ((latitude is null) = (longitude is null)),
  add constraint addresses_pin_in_mexico check (latitude between 14 and 33 and longitude between -119 and -86);
comment on column addresses.latitude is 'Of the pin, in degrees; null with longitude';
