import { around, hour, visitAtHome } from '../kit/appointments.ts'
import { db, fixture, manager, openOnce, technician } from '../kit/open.ts'

openOnce()
const hostile = ['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', '\tx', ' =1', '＝1', 'a, "b"', 'fin;']
const first = { startsAt: new Date('2026-11-24T15:00Z') }
beforeAll(async () => {
  for (const [n, lastname] of hostile.entries()) {
    const customer = await fixture.person({ name: lastname, lastname: '', email: `c${n}@prueba.mx` })
    await visitAtHome(customer, around(first, n * hour), {
      assigneeId: technician.id,
      state: 'done',
      closingNote: `Nota\ncon "${lastname}"`,
    })
  }
})

/** The rows of the export by column, as a spreadsheet reads them (RFC 4180). */
async function exported(query = '') {
  const answer = await fixture.open(`/admin/appointments-done.csv${query}`, manager)
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer())
  expect(text.charCodeAt(0)).toBe(0xfeff)
  const rows: string[][] = [[]]
  for (const [, cell = '', end] of text.slice(1).matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)) {
    rows.at(-1)!.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === '\r\n') rows.push([])
  }
  const [head = [], ...body] = rows.slice(0, -1)
  return body.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ''])))
}

test('exports every row once in the words of the screens, and nothing that a spreadsheet would run', async () => {
  const rows = await exported()
  expect(rows).toHaveLength(hostile.length)
  expect(rows.at(-1)).toMatchObject({
    Servicio: 'Visita técnica',
    Estado: 'Realizada',
    Fecha: '24/11/2026',
    Hora: '9:00 a. m.',
    Minutos: '60',
    Teléfono: '551 234 56 78',
    Correo: 'c0@prueba.mx',
    Zona: 'Coyoacán',
    'Código postal': '04000',
    Persona: 'Tomás Prueba',
    Confirmada: 'Sí',
  })
  for (const row of rows)
    for (const value of Object.values(row)) expect(value).not.toMatch(/^\s*[=+\-@＝]|^[\t\r]/)
  const names = rows.map(({ Cliente }) => Cliente!.replace(/^'/, '').trim())
  expect(new Set(names)).toEqual(new Set(hostile.map((name) => name.trim())))
  expect(rows.map((row) => row['Nota de cierre'])).toContain('Nota\ncon "a, "b""')
})

test('exports all rows of a filter beyond the size of one read', async () => {
  const { rows: made } = await db.$client.query<{ folio: string }>(
    `with people as (insert into users (email, name, lastname) select 'm' || n || '@muchas.mx', 'Muchas', n
       from generate_series(1, 2300) n returning id),
     owned as (insert into projects (customer_id) select id from people returning id, customer_id)
     insert into appointments (folio, service, state, customer_id, project_id, starts_at, minutes, request_key, request_digest)
     select next_folio('VT', 2020), 'technical_visit', 'done', customer_id, id, '2025-03-04 16:00Z', 60, gen_random_uuid(), ''
     from owned returning folio`,
  )
  for (const query of ['?year=2025', '?text=muchas']) {
    const rows = await exported(query)
    expect(rows.map(({ Folio }) => Folio).sort()).toEqual(made.map(({ folio }) => folio).sort())
  }
})
