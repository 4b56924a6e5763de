-- The load that a letter to CFE asks to change, and the tariff: taken over from the report, put right by the gester.
alter table cfe_cases add column contracted_kilowatts numeric(4, 1);
alter table cfe_cases add column requested_kilowatts numeric(4, 1);
alter table cfe_cases add column tariff text;
alter table cfe_cases add constraint cfe_cases_load_range check
  (contracted_kilowatts between 0 and 300 and requested_kilowatts between 0 and 300) not valid;
alter table cfe_cases add constraint cfe_cases_tariff_length check (char_length(tariff) between 1 and 10) not valid;
