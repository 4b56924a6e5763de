import { beforeAll, describe, expect, test } from 'vitest'
import { storeVisit } from '../kit/appointments.ts'
import { openOnce, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'

openOnce()
const hostile = ['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', '\tx', ' =1', '＝1', 'a, "b"', 'fin;']
beforeAll(async () => {
  for (const [n, lastname] of hostile.entries()) await visit(lastname, n)
})

async function visit(lastname: string, n: number) {
  const customer = await world.person({ name: lastname, lastname: '', email: `c${n}@prueba.mx` })
  const home = await world.home(customer, n % 2 ? { postalCode: '14000' } : {})
  const start = new Date(Date.UTC(2026, 10, 24, 15 + n))
  const wish = {
    assigneeId: people.technician.id,
    state: 'done' as const,
    closingNote: `Nota\ncon "${lastname}"`,
  }
  return storeVisit(world, customer, home, start, wish)
}

/** What a spreadsheet makes of a file (RFC 4180), by column. */
function sheet(text: string): Record<string, string>[] {
  expect(text.charCodeAt(0)).toBe(0xfeff)
  const cells = [...text.slice(1).matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)]
  const rows: string[][] = [[]]
  for (const [, cell = '', end] of cells) {
    rows.at(-1)!.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === '\r\n') rows.push([])
  }
  const [head = [], ...body] = rows.slice(0, -1)
  return body.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ''])))
}

// Text that was read takes its mark off; bytes keep it.
const exported = async (as: Person, path = '/admin/appointments-done.csv') => {
  const answer = await world.open(path, as)
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer())
  return { answer, text }
}

describe('the manager’s export', () => {
  test('has every row once, in the words and formats of the screens', async () => {
    const { answer, text } = await exported(people.manager)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toMatch(
      /filename="citas-realizadas-\d{4}-\d\d-\d\d\.csv"/,
    )
    const rows = sheet(text)
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
  })

  test('holds nothing that a spreadsheet would run, and what was typed', async () => {
    const rows = sheet((await exported(people.manager)).text)
    for (const row of rows)
      for (const value of Object.values(row)) expect(value).not.toMatch(/^\s*[=+\-@＝]|^[\t\r]/)
    const names = rows.map(({ Cliente }) => Cliente!.replace(/^'/, '').trim())
    expect(new Set(names)).toEqual(new Set(hostile.map((name) => name.trim())))
    expect(rows.map((row) => row['Nota de cierre'])).toContain('Nota\ncon "a, "b""')
  })

  test('goes beyond what is read at once', async () => {
    const { rows: made } = await world.db.$client.query(
      `with people as (insert into users (email, name, lastname) select 'm' || n || '@muchas.mx', 'Muchas', n
         from generate_series(1, 2300) n returning id),
       owned as (insert into projects (customer_id) select id from people returning id, customer_id)
       insert into appointments (folio, service, state, customer_id, project_id, starts_at, minutes, request_key, request_digest)
       select next_folio('VT', 2020), 'technical_visit', 'done', customer_id, id, '2025-03-04 16:00Z', 60, gen_random_uuid(), ''
       from owned returning folio`,
    )
    const rows = sheet((await exported(people.manager, '/admin/appointments-done.csv?year=2025')).text)
    const folios = (some: Record<string, string>[]) => some.map(({ Folio, folio }) => Folio ?? folio).sort()
    expect(folios(rows)).toEqual(folios(made))
    const found = sheet((await exported(people.manager, '/admin/appointments-done.csv?text=muchas')).text)
    expect(folios(found)).toEqual(folios(made))
  })
})

test('nobody else reads it as the data of a page', async () => {
  const { customer, analyst, technician, gester, ally } = people
  for (const person of [customer, analyst, technician, gester, ally])
    expect((await world.visit('/admin/appointments-done.csv.data?month=10', person)).text).not.toContain(
      'c0@prueba.mx',
    )
})
