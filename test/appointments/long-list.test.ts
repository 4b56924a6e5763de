import { type AppointmentPage, listDone } from '../../src/appointments/lists.ts'
import type { ListFilters } from '../../src/appointments/rules/list.ts'
import { db, fixture, openBare, runSql } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'

/** A list longer than what a search reads of its head. */
const length = 2_600

openBare()
let manager: Person
beforeAll(async () => {
  manager = await fixture.person({ kind: 'manager' })
  await runSql`
    with people as (
      insert into users (email, name, lastname)
      select 'l' || n || '@larga.mx', case when n % 2 = 0 then 'Comunísima' else 'Otra' end,
        case when n % 40 = 0 then 'Mediana' when n > 2550 then 'Lejana' else 'Usual' end
      from generate_series(1, ${length}) n returning id, email
    ), owned as (insert into projects (customer_id) select id from people returning id, customer_id)
    insert into appointments (folio, service, state, customer_id, project_id, starts_at, minutes, municipality, request_key, request_digest)
    select 'VT-2020-' || lpad(n::text, 5, '0'), 'technical_visit', 'done', people.id, owned.id,
      timestamptz '2026-03-02 16:00Z' - n / 3 * interval '1 hour', 60, (array['coyoacan', 'tlalpan'])[1 + n % 2], gen_random_uuid(), ''
    from people join owned on owned.customer_id = people.id,
      lateral (select substring(email from 2 for length(email) - 10)::int as n) numbered`
  await runSql`analyze`
}, 120_000)

const page = (filters: ListFilters, after?: string) =>
  listDone(db, manager.actor, { ...filters, ...(after && { after }) }, new Date())

async function whole(filters: ListFilters, between: () => Promise<unknown> = async () => undefined) {
  const [pages, folios]: [AppointmentPage[], string[]] = [[], []]
  for (let next: string | null | undefined; next !== null; ) {
    const one: AppointmentPage = await page(filters, next)
    pages.push(one)
    folios.push(...one.rows.map(({ folio }) => folio))
    next = one.next
    await between()
  }
  return { folios, counts: pages.map(({ total, isMore }) => `${total}${isMore ? '+' : ''}`) }
}

/** The folios in the order of the list, as the database sorts them. */
async function expected(condition: string): Promise<string[]> {
  const { rows } = await db.$client.query<{ folio: string }>(
    `select folio from appointments join users on users.id = customer_id where ${condition} order by starts_at desc, appointments.id desc`,
  )
  return rows.map(({ folio }) => folio)
}

test.each([
  // Half of all rows.
  ['comunisima', "name = 'Comunísima'", '100+'],
  // One in forty: no page of it stands near the head.
  ['mediana', "lastname = 'Mediana'", '65'],
  // Behind everything that is read first.
  ['lejana', "lastname = 'Lejana'", undefined],
  ['comun lejana', "name = 'Comunísima' and lastname = 'Lejana'", undefined],
  ['00077', "folio = 'VT-2020-00077'", '1'],
  ['vt-2020-0007', "folio like 'VT-2020-0007%'", '10'],
  ['nadie', 'false', '0'],
])(
  'a search in a long list finds "%s" in order, counted as far as it is read',
  async (text, condition, count) => {
    const all = await expected(condition)
    const { folios, counts } = await whole({ text })
    expect(folios).toEqual(all)
    for (const one of counts) {
      const total = Number.parseInt(one, 10)
      const isMore = one.endsWith('+')
      if (isMore) expect(total).toBeLessThan(all.length)
      else expect(total).toBe(all.length)
    }
    if (count !== undefined) expect(counts[0]).toBe(count)
  },
)

test('a search in a long list combines with the zone', async () => {
  for (const zone of ['coyoacan', 'tlalpan'])
    expect((await whole({ text: 'comunisima', zone })).folios).toEqual(
      await expected(`name = 'Comunísima' and municipality = '${zone}'`),
    )
  // The first thousand of the zone hold fifty: no page, and the sign of another.
  expect(await whole({ text: 'mediana', zone: 'coyoacan' })).toEqual({
    folios: await expected("lastname = 'Mediana'"),
    counts: ['65', '65'],
  })
})

test('counts thousands without a search to the last', async () => {
  expect(await page({})).toMatchObject({ total: length, isMore: false })
  expect(await page({ zone: 'coyoacan' })).toMatchObject({ total: length / 2, isMore: false })
})
