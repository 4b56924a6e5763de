import type pg from 'pg'
import { municipalities } from '../src/shared/places.ts'

const firstNames =
  'María José Guadalupe Juan Ángel Sofía Luis Fernanda Óscar Íñigo Ximena Raúl Lucía Andrés Mónica Tomás Elena Hugo Inés Iván'
const lastNames =
  'Hernández García Martínez López González Pérez Rodríguez Sánchez Ramírez Cruz Flores Gómez Morales Vázquez Reyes Jiménez Torres Díaz Gutiérrez Ruiz Mendoza Aguilar Ortiz Moreno Castillo Romero Álvarez Méndez Chávez Ñúñez'

const streets =
  'Londres,Reforma,Insurgentes Sur,Hidalgo,Morelos,Juárez,Allende,Madero,Niños Héroes,Revolución,Durango,Álamo'
const colonias =
  'Centro,Del Valle,Narvarte,Roma Norte,Del Carmen,San Ángel,Lindavista,Polanco,Condesa,Doctores'

/** Staff of every list: technicians and analysts, with whom the appointments are. */
const team = 340
/** Of all zones, how many each of them goes to. */
const zonesEach = 5
/** Of a hundred appointments, how many are to come. */
const pendingShare = 4

/**
 * So many appointments: 4 % to come within 60 days, the rest over the three years behind,
 * of three services, all zones and 340 people; two for each customer, whose names are the usual ones. The rows of
 * all sizes are of the same kind.
 */
export async function addAppointments(pool: pg.Pool, count: number) {
  const customers = Math.ceil(count / 2)
  const client = await pool.connect()
  try {
    await client.query(
      "set statement_timeout = 0; set synchronous_commit = off; set maintenance_work_mem = '256MB'",
    )
    // What they would do for each row is written here, or is nobody's: codes to look for, stages to work out anew.
    await client.query(alter('disable'))
    await addPeople(client, customers)
    const pending = (count * pendingShare) / 100
    await withoutIndexes(client, () =>
      client.query(rowsOf, [count, pending, municipalities.map(({ slug }) => slug)]),
    )
    await client.query(alter('enable'))
    await client.query('vacuum analyze appointments')
    await client.query('vacuum analyze users, projects, project_standings, addresses, payments')
  } finally {
    client.release(true)
  }
}

/**
 * What a search looks through beside appointments and their people, so much of each as belongs to so many appointments:
 * who receives at each third home, people whom an ally invited, codes, payouts and the bank's movements, of which a
 * fiftieth is nobody's yet.
 */
export async function addSought(pool: pg.Pool, count: number) {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0; set synchronous_commit = off')
    await client.query(alter('disable'))
    for (const statement of sought) await client.query(statement, statement.includes('$1') ? [count] : [])
    await client.query(alter('enable'))
    await client.query(
      'vacuum analyze addresses, agencies, codes, clients, documents, commission_payouts, bank_lines',
    )
  } finally {
    client.release(true)
  }
}

const alter = (how: 'enable' | 'disable') =>
  'projects appointments addresses payments documents clients codes commission_payouts'
    .split(' ')
    .map((table) => `alter table ${table} ${how} trigger user`)
    .join('; ')

/** Indexes that are made once over all rows, and not row by row; those of constraints judge every row. */
async function withoutIndexes(client: pg.PoolClient, write: () => Promise<unknown>) {
  const { rows } = await client.query<{ name: string; made: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index
     where indrelid = 'appointments'::regclass
       and not exists (select from pg_constraint where conindid = indexrelid)`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await write()
  for (const { made } of rows) await client.query(made)
}

async function addPeople(client: pg.PoolClient, customers: number) {
  await client.query(
    `insert into users (email, email_verified, name, lastname, phone, role, kind)
     select 'equipo' || n || '@lista.mx', true, 'Equipo ' || n, 'Lista', '5512345678', 'staff',
       case when n <= $1 * 9 / 10 then 'tecnician' else 'analyst' end from generate_series(1, $1) n`,
    [team],
  )
  await client.query(
    `insert into shifts (person_id, weekday, starts, ends)
     select id, weekday, 540, 1080 from users, generate_series(0, 5) weekday where email like 'equipo%@lista.mx'`,
  )
  await client.query(
    `insert into person_zones (person_id, municipality)
     select id, zones[1 + (row_number() over (order by id) * $2 + nth) % cardinality(zones)]
     from users, (select $1::text[] as zones) all_zones, generate_series(1, $2::int) nth
     where email like 'equipo%@lista.mx' and kind = 'tecnician'`,
    [municipalities.map(({ slug }) => slug), zonesEach],
  )
  await client.query(
    `insert into users (email, email_verified, name, lastname, phone)
     select 'lista' || n || '@correo.mx', true, f[1 + hash % cardinality(f)],
       l[1 + hash / 31 % cardinality(l)] || ' ' || l[1 + hash / 961 % cardinality(l)], '55' || lpad((hash % 100000000)::text, 8, '0')
     from generate_series(1, $1) n, lateral (select abs(hashint4(n)::bigint) as hash) hashed,
       (select string_to_array($2, ' ') f, string_to_array($3, ' ') l) names`,
    [customers, firstNames, lastNames],
  )
  await client.query(
    `insert into projects (customer_id) select id from users where email like 'lista%@correo.mx'`,
  )
  await client.query(standingsOf)
  await client.query(homesOf, [municipalities.map(({ slug }) => slug), streets, colonias])
  await client.query(paymentsOf)
}

// Of a hundred projects 60 are closed and 20 lost; the others are spread over the stages before.
const standingsOf = `
  insert into project_standings (project_id, customer_id, stage, waiting_on, since)
  select id, customer_id, case when hash < 60 then 'closed' when hash < 80 then 'lost' else stages[1 + hash % 7] end,
    case when hash < 80 then 'none' else turns[1 + hash % 4] end, now()
  from (select id, customer_id, abs(hashtext(id::text)::bigint) % 100 as hash from projects) hashed,
    (select '{intake,advisory,visit,quoting,deposit,installing,cfe}'::text[] stages, '{customer,analyst,manager,none}'::text[] turns) names
  on conflict do nothing`

// Everybody lives somewhere: a dozen streets, and so a number of people in each house.
const homesOf = `
  insert into addresses (project_id, postal_code, region_group, municipality, state, area, colonia, street, outer_number, dwelling, parking)
  select id, lpad((1000 + hash % 16000)::text, 5, '0'), 'cdmx', ($1::text[])[1 + hash % 16], 'cdmx', 'served', c[1 + hash / 7 % cardinality(c)],
    s[1 + hash / 77 % cardinality(s)], (1 + hash / 999 % 900)::text, 'house', 'own_covered'
  from (select projects.id, abs(hashtext(projects.id::text)::bigint) as hash from projects join users on users.id = customer_id
      where email like 'lista%@correo.mx') hashed,
    (select string_to_array($2, ',') s, string_to_array($3, ',') c) names`

/** One in five has paid by transfer. */
const paymentsOf = `
  insert into payments (folio, project_id, customer_id, concept, method, state, amount, bank, tracking_key, paid_at)
  select 'PAG-2026-' || lpad(nth::text, 7, '0'), id, customer_id, 'deposit', 'spei', 'paid', 500000, '012', 'CLAVE' || lpad(nth::text, 9, '0'), now() - nth % 1000 * interval '1 day'
  from (select projects.*, row_number() over (order by projects.id) as nth from projects join users on users.id = customer_id
    where email like 'lista%@correo.mx') numbered where nth % 5 = 0`

// Those to come stand on different half hours for each person, as the database demands; the others anywhere.
const rowsOf = `
  with customers as (
    select users.id, projects.id as project, row_number() over (order by users.id) - 1 as nth, users
    from users join projects on projects.customer_id = users.id where email like 'lista%@correo.mx'
  ), crew as (
    select id, kind, row_number() over (partition by kind order by id) - 1 as nth, count(*) over (partition by kind) as of
    from users where email like 'equipo%@lista.mx'
  ), numbered as (
    select n, n <= $2 as pending, abs(hashint4(n)::bigint) as hash from generate_series(1, $1) n
  ), shaped as (
    select *, case when hash % 10 < 6 then 'technical_visit' when hash % 10 < 9 then 'videocall' else 'installation' end as service,
      case when pending then case hash % 100 when 0 then 'en_route' when 1 then 'in_progress' when 2 then 'paused'
          else case when hash % 100 < 25 then 'requested' else 'assigned' end end
        else case when hash % 100 < 82 then 'done' when hash % 100 < 95 then 'cancelled' else 'no_show' end end as state
    from numbered
  )
  insert into appointments (folio, service, state, customer_id, project_id, assignee_id, confirmed_at, created_at, starts_at,
    started_at, finished_at, closing_reason, minutes, municipality, request_key, request_digest, words)
  select made.folio, service, state, customers.id, customers.project, person, case when state <> 'requested' then now() end,
    at - (1 + hash % 20) * interval '1 day', at,
    case when state = 'done' then at + (hash % 50 - 10) * interval '1 minute' end,
    case when state = 'done' then at + (50 + hash % 90) * interval '1 minute' end,
    case when state = 'cancelled' then ('{clima,cliente_se_arrepiente,otro}'::text[])[1 + hash % 4] end,
    30, case when service <> 'videocall' then ($3::text[])[1 + hash / 11 % cardinality($3::text[])] end,
    gen_random_uuid(), '', words_of(made.folio, customers.users)
  from (
      select shaped.*, crew.id as person, (row_number() over own - 1) * step + hash % step + 1 as place
      from shaped join crew on crew.kind = case when service = 'videocall' then 'analyst' else 'tecnician' end
        and crew.nth = n % crew.of,
        lateral (select greatest(1, 2880 / (1 + $2::int / case when service = 'videocall' then 80 else 300 end)) as step) spaced
      window own as (partition by crew.id, pending order by n)
    ) placed
    join customers on customers.nth = n % (select count(*) from customers)
    cross join lateral (select date_bin('30 minutes', now(), '2000-01-01')
      + case when pending then place else -1 - hash / 7 % 52000 end * interval '30 minutes' as at) timed
    cross join lateral (select case service when 'technical_visit' then 'VT' when 'videocall' then 'AV' else 'IN' end
      || '-' || (2024 + hash % 3) || '-' || lpad(n::text, 7, '0') as folio) made`

/** The first of each is what the benchmark looks for. */
const sought = [
  `insert into agencies (name, brand) select 'Concesionaria ' || n, 'Marca ' || n % 7 from generate_series(1, 60) n`,
  `insert into codes (code, agency_id, owner_id, starts_on, max_uses, state)
   select 'BENCH' || translate(lpad((row_number() over ())::text, 5, '0'), '01', 'XY'), agencies.id, person, current_date, 100, 'active'
   from agencies, generate_series(1, 20), (select id as person from users where kind = 'analyst' limit 1) owner`,
  `update addresses set receiver_name = 'Quien Recibe', receiver_phone = '33' || lpad(nth::text, 8, '0')
   from (select id, row_number() over (order by id) as nth from addresses) numbered
   where numbered.id = addresses.id and nth % 3 = 1`,
  `insert into clients (agency_id, source, name, lastname, phone, email, invite_expires_at)
   select agencies[1 + n % cardinality(agencies)], 'link', 'Invitada ' || n, 'Prueba', '81' || lpad(n::text, 8, '0'),
     'invitada' || n || '@correo.mx', now() + interval '30 days'
   from generate_series(1, greatest(1, $1 / 50)) n, (select array_agg(id) as agencies from agencies) all_agencies`,
  `with paper as (
     insert into documents (customer_id, purpose, name, type, bytes, sha256, uploaded_by)
     select id, 'payment_proof', 'comprobante.png', 'image/png', 90000, repeat('a', 64), id
     from users where email = 'lista1@correo.mx' returning id
   )
   insert into commission_payouts (agency_id, amount, paid_on, reference, proof_id, paid_by, request_key)
   select agencies[1 + n % cardinality(agencies)], 100000, current_date - n % 1000, 'SPEI COMISION ' || lpad(n::text, 7, '0'),
     paper.id, person, gen_random_uuid()
   from generate_series(1, greatest(1, $1 / 100)) n, paper, (select array_agg(id) as agencies from agencies) all_agencies,
     (select id as person from users where kind = 'analyst' limit 1) payer`,
  `with statement as (
     insert into bank_statements (name, sha256, head, head_words, columns, uploaded_by, read_at, lines_new)
     select 'movimientos.csv', repeat('a', 64), 0, '', '{}', id, now(), 1 from users where kind = 'analyst' limit 1
     returning id, uploaded_by
   )
   insert into bank_lines (statement_id, hash, row_number, booked_on, amount, description, reference, tracking_key, state, reason, decided_by, decided_at)
   select statement.id, md5(n::text), n, current_date - n % 1000, 1000 + n, 'SPEI RECIBIDO', '', 'MOVIDO' || lpad(n::text, 8, '0'),
     case when is_open then 'open' else 'ignored' end, case when not is_open then 'Ajeno' end,
     case when not is_open then uploaded_by end, case when not is_open then now() end
   from statement, generate_series(1, greatest(1, $1 / 10)) n, lateral (select n % 50 = 1 as is_open) kept`,
]
