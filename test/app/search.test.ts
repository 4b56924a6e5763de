import { sql } from 'drizzle-orm'
import type { HitGroup } from '../../src/app/screens/search-line.tsx'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { clients, commissionPayouts } from '../../src/platform/database/schema/agencies.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { cfeCases } from '../../src/platform/database/schema/cfe.ts'
import {
  bankLines,
  bankStatements,
  documents,
  payments,
  quotes,
} from '../../src/platform/database/schema/payments.ts'
import { addresses } from '../../src/platform/database/schema/projects.ts'
import { storeCode } from '../kit/agencies.ts'
import { everyModule } from '../kit/fixture.ts'
import {
  db,
  expectScreen,
  fixture,
  markupOf,
  newPerson,
  openBare,
  rowWhere,
  setRow,
  storeRows,
} from '../kit/open.ts'
import { expectStatus, insertIn } from '../kit/reading.ts'
import { everyone, openEveryoneOnce, type Who } from '../security/everyone.ts'
import { plantOutsideScreens } from '../security/planted.ts'

// One customer with everything that a search finds, and everybody who may look for it.
openBare({ ...everyModule, ROLE: 'web' })
openEveryoneOnce()
const texts: Record<string, string> = {
  name: 'núñez camila',
  first: 'CAMILA',
  phone: '+52 1 555 555 0202',
  ends: '0202',
  mailbox: 'camila.nunez@',
  street: 'ejemplo 12 villa',
  key: 'clave 2990 1405',
  paper: 'cdmx-2026/0077 b',
  technician: 'teresa',
  agency: 'otra concesion',
  nobody: 'zzzz',
  receiver: '044 55 4433 2211',
  invited: '55 7766 5544',
}
beforeAll(async () => {
  const { ally, customer } = everyone
  await setRow(users, customer, { lastname: 'Núñez', phone: '5555550202', email: 'camila.nunez@prueba.mx' })
  const rows = await plantOutsideScreens(everyone)
  for (const [table, names] of [
    [appointments, ['visit', 'done', 'far']],
    [quotes, ['quote']],
    [payments, ['payment']],
    [cfeCases, ['case']],
  ] as const)
    for (const name of names) texts[name] = (await rowWhere(table, { id: rows[name]! }))!.folio
  await setRow(payments, rows.payment!, { trackingKey: 'CLAVE29901405' })
  await setRow(cfeCases, rows.case!, { requestNumber: 'CDMX-2026/0077 B' })
  await db
    .update(addresses)
    .set({ receiverPhone: '5544332211' })
    .where(sql`project_id in (select id from projects where customer_id = ${customer.id})`)
  const brought = { agencyId: ally.agencyId!, allyId: ally.id, source: 'counter' } as const
  await storeRows(clients, {
    ...brought,
    name: 'Irma',
    lastname: 'Invitada',
    phone: '5577665544',
    consentAt: new Date(),
    consentVersion: '1',
  })
  texts.code = (await storeCode(ally, { code: 'FERZA25' })).code.toLowerCase()
  await storeRows(clients, {
    ...brought,
    customerId: customer.id,
    stage: 'visit',
    waitingOn: 'none',
    joinedAt: new Date(),
  })
}, 60_000)

type Answer = { q: string; groups: HitGroup[] }
async function asked(who: Who, q: string): Promise<Answer> {
  const answer = await fixture.open(`/admin/buscar.json?${new URLSearchParams({ q })}`, everyone[who])
  return (await answer.json()) as Answer
}
const kindsOf = ({ groups }: Answer) => groups.map(({ kind }) => kind).filter((kind) => kind !== 'action')

/** What each finds by a text: the kinds of rows, "-" for none. */
const table = `
text        manager     analyst     technician  technician2 gester   ally   ally2
name        customer    customer    appointment -           customer -      -
first       customer    customer    appointment -           customer client -
phone       customer    customer    appointment -           customer -      -
ends        customer    customer    appointment -           customer -      -
mailbox     customer    customer    appointment -           customer -      -
street      customer    customer    appointment -           customer -      -
visit       appointment appointment appointment -           -        -      -
done        appointment appointment appointment -           appointment -   -
far         appointment appointment -           -           -        -      -
quote       quote       quote       quote       -           quote    -      -
payment     payment     payment     -           -           -        -      -
key         payment     payment     -           -           -        -      -
case        case        case        -           -           case     -      -
paper       case        case        -           -           case     -      -
technician  staff       staff       staff       staff       staff    -      -
agency      agency      agency      agency      agency      agency   -      agency
receiver    customer    customer    -           -           customer -      -
invited     client      client      -           -           -        -      -
code        code        code        -           -           -        code   -
nobody      -           -           -           -           -        -      -
`
const [header = [], ...lines] = table
  .trim()
  .split('\n')
  .map((line) => line.split(/\s+/))

const readers = header.slice(1) as Who[]

test.each(lines)('a search by %s finds only what the role may see', async (name, ...cells) => {
  for (const [at, who] of readers.entries())
    expect(kindsOf(await asked(who, texts[name!]!)).join() || '-', who).toBe(cells[at])
})

test('a customer is shown with phone, zone, next appointment and a link to book', async () => {
  const { groups } = await asked('manager', texts.phone!)
  const [hit] = groups[0]!.hits
  const { id } = everyone.customer
  expect(hit).toMatchObject({ kind: 'customer', title: 'Camila Núñez', id, score: 98 })
  expect(hit!.to).toBe(`/admin/users/${id}/cliente`)
  expect(hit!.book).toContain(`/admin/assignations/nueva?cliente=${id}`)
  expect(hit!.facts[0]).toContain('555 555 02 02 · Coyoacán · Calle Ejemplo 12, Villa Coyoacán')
  expect(hit!.facts[1]).toMatch(/^Visita técnica: [a-zéá]{3} \d{1,2} \w{3} \d{4}, \d{1,2}:\d\d [ap]/)
  const [same] = (await asked('analyst', texts.phone!)).groups[0]!.hits
  expect([same!.title, same!.book]).toEqual(['Camila Núñez', undefined])
  // Who reads no appointment to come is not told that there is none.
  const [brief] = (await asked('gester', texts.phone!)).groups[0]!.hits
  expect(brief!.facts).toEqual([hit!.facts[0]])
})

test('every result opens to its reader', async () => {
  for (const who of readers) {
    const opened = new Set<string>()
    for (const q of [...Object.values(texts), ''])
      for (const { hits } of (await asked(who, q)).groups)
        for (const { book, kind, to } of hits.filter((hit) => q === '' || hit.kind !== 'action'))
          for (const address of [to, book ?? to].slice(0, kind === 'customer' ? 2 : 1)) {
            const page = address.split('#')[0]!
            if (opened.has(page)) continue
            opened.add(page)
            const { location, status } = await fixture.data(page, everyone[who])
            expect([status, location], `${who} ${address}`).toEqual([200, null])
          }
  }
}, 240_000)

test('the best match comes first: the exact name, a folio, an action by its name', async () => {
  const other = await newPerson({ name: 'Camilo', lastname: 'Demo', phone: '5533332222' })
  const exact = await newPerson({ name: 'Cami', lastname: 'Demo', phone: '5533332223' })
  const { groups } = await asked('manager', 'cami demo')
  expect(groups[0]!.hits.map(({ id }) => id).slice(0, 2)).toEqual([exact.id, other.id])
  expect((await asked('manager', 'nueva cita')).groups[0]).toMatchObject({
    kind: 'action',
    hits: [{ to: '/admin/assignations/nueva' }],
  })
  expect((await asked('manager', texts.visit!)).groups[0]!.kind).toBe('appointment')
})

test('an unmatched transfer is found by its key, a payout by its reference', async () => {
  const { ally, manager } = everyone
  const name = 'banco.csv'
  const read = { sha256: 'a', head: 0, headWords: '', columns: {}, readAt: new Date() }
  const line = {
    statementId: (await insertIn(fixture, bankStatements, { name, ...read, uploadedBy: manager.id })).id,
    rowNumber: 1,
    bookedOn: '2026-01-05',
    amount: 900_00,
    hash: 'una',
  }
  await insertIn(fixture, bankLines, { ...line, description: '', reference: '', trackingKey: 'mbx0099887' })
  const [paper] = await db.select({ id: documents.id }).from(documents).limit(1)
  await db.transaction(async (tx) => {
    // A payout without the rows that it pays.
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.insert(commissionPayouts).values({
      agencyId: ally.agencyId!,
      amount: 100_00,
      paidOn: '2026-01-06',
      reference: 'SPEI-778/21',
      proofId: paper!.id,
      paidBy: manager.id,
      requestKey: crypto.randomUUID(),
    })
  })
  for (const who of ['manager', 'analyst'] as const)
    expect(kindsOf(await asked(who, 'MBX 0099887'))).toEqual(['movement'])
  expect(kindsOf(await asked('manager', 'spei-778/21'))).toEqual(['payout'])
  for (const who of ['technician', 'gester', 'ally'] as const)
    expect(kindsOf(await asked(who, 'MBX0099887'))).toEqual([])
  for (const who of ['analyst', 'ally'] as const) expect(kindsOf(await asked(who, 'spei-778/21'))).toEqual([])
})

test('a deleted customer is not found', async () => {
  const gone = await newPerson({ name: 'Borrada', lastname: 'Demo' })
  await fixture.home(gone)
  expect(kindsOf(await asked('manager', 'borrada'))).toEqual(['customer'])
  await setRow(users, gone, { deletedAt: new Date() })
  for (const who of ['manager', 'analyst'] as const) expect(kindsOf(await asked(who, 'borrada'))).toEqual([])
})

test('without JavaScript staff read results with links, or actions without words, from the sidebar', async () => {
  const link = `href="/admin/users/${everyone.customer.id}/cliente"`
  await expectScreen('/admin/buscar?q=camila', everyone.manager, 'Camila Núñez', link, 'value="camila"')
  await expectScreen('/admin/buscar', everyone.manager, 'Optimizar mañana')
  await expectScreen('/admin/buscar?q=zzzz', everyone.manager, 'No encontramos nada con «zzzz»')
  await expectScreen('/admin', everyone.gester, 'action="/admin/buscar"')
  expect(await markupOf('/', everyone.customer)).not.toContain('/admin/buscar')
})

test('any words and signs are answered', async () => {
  for (const q of ['x'.repeat(5_000), '%_\\', "' or 1=1", '+', '\u0000', '<b>', '()', ':* & !'])
    expectStatus(await fixture.data(`/admin/buscar?${new URLSearchParams({ q })}`, everyone.manager), 200)
})
