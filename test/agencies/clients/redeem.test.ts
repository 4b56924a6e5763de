import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { users } from '../../../src/server/platform/database/schema/accounts.ts'
import { clients, codes } from '../../../src/server/platform/database/schema/agencies.ts'
import { appointments } from '../../../src/server/platform/database/schema/appointments.ts'
import { payments, quotes } from '../../../src/server/platform/database/schema/payments.ts'
import { agencies, projects } from '../../../src/server/platform/database/schema/projects.ts'
import { newEmail, password } from '../../kit/accounts.ts'
import { type Code, storeCode, storeTie } from '../../kit/agencies.ts'
import { hour, storeVisit } from '../../kit/appointments.ts'
import { openOnce, people, realClockAfterEach, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { storeDraft, visited } from '../../kit/quotes.ts'
import { readable, rowIn, rowsIn, trailOf } from '../../kit/reading.ts'
import type { Visitor } from '../../kit/visitor.ts'

openOnce()
let other: Person
beforeAll(async () => {
  const agency = await world.agency({ name: 'La de enfrente' })
  other = await world.person({ kind: 'alliate', name: 'Olga', agencyId: agency.id })
})
realClockAfterEach()

const give = (code: string, as: Visitor, more = {}) =>
  world.post('/quote', { intent: 'redeem-code', codigo: code, ...more }, as)
const codeNow = async ({ id }: Code) => (await rowIn(world, codes, { id }))!
const tiesOf = ({ id }: { id: string }) =>
  world.db.select().from(clients).where(eq(clients.customerId, id)).orderBy(clients.createdAt)
const livingOf = async (person: { id: string }) => (await tiesOf(person)).find(({ endedAt }) => !endedAt)
const userOf = async (email: string) => await rowIn(world, users, { email })
const agencyOfProject = async (id: string) => (await rowIn(world, projects, { id }))!.agencyId
const signUp = (form: object, as = world.visitor(), email = newEmail()) =>
  world.post('/signup', { email, password, ...form }, as).then((answer) => ({ answer, as, email }))

describe('one code', () => {
  test('ties its customer to the ally, with project, visits and quotes, and shows what it gives', async () => {
    const customer = await world.person()
    const visit = await visited(world, customer, people.technician)
    const draft = await storeDraft(world, visit, people.analyst)
    const code = await storeCode(world, people.ally, { benefitKind: 'percent', benefitValue: 1000 })
    const typed = `${code.code.slice(0, 3)}-${code.code.slice(3)} `.toLowerCase()
    expect((await give(typed, customer)).location).toBe('/quote')
    const tie = (await livingOf(customer))!
    const { agencyId, id: allyId } = people.ally
    expect(tie).toMatchObject({ agencyId, allyId, codeId: code.id, source: 'code', name: null })
    expect(await agencyOfProject(visit.projectId)).toBe(agencyId)
    const rows = [
      ...(await rowsIn(world, appointments, { id: visit.id })),
      ...(await rowsIn(world, quotes, { id: draft.id })),
    ]
    expect(rows.map((row) => row.agencyId)).toEqual([agencyId, agencyId])
    expect(JSON.stringify(rows[1])).toContain('benefit')
    expect(await trailOf(world, tie.id)).toContain('join')
    expect(readable(await world.visit('/quote', customer))).toMatch(
      new RegExp(`Tu código ${code.code} : 10 % de descuento`),
    )
    // Again, it is theirs as it was.
    expect((await give(code.code, customer)).status).toBe(303)
    expect((await codeNow(code)).uses).toBe(1)
  })

  test('with one use left, twenty at once: one gets it, and it is used up', async () => {
    const code = await storeCode(world, people.ally, { maxUses: 3, uses: 2 })
    const twenty = await Promise.all(Array.from({ length: 20 }, () => world.person()))
    const answers = await Promise.all(twenty.map((person) => give(code.code, person)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
    for (const { status, text } of answers)
      if (status !== 303) expect([status, text.includes('Ese código ya se agotó.')]).toEqual([409, true])
    expect(await codeNow(code)).toMatchObject({ uses: 3, state: 'exhausted' })
    const tied = await rowsIn(world, clients, { codeId: code.id })
    expect(tied).toHaveLength(1)
    expect(await trailOf(world, code.id)).toEqual(['exhaust'])
  })

  test('two codes by one customer at once: one is theirs, the other keeps its use', async () => {
    for (const owner of [people.ally, other]) {
      const customer = await world.person()
      const two = [await storeCode(world, people.ally), await storeCode(world, owner)]
      const answers = await Promise.all(two.map(({ code }) => give(code, customer)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409])
      expect(await tiesOf(customer)).toHaveLength(1)
      const uses = await Promise.all(two.map(async (code) => (await codeNow(code)).uses))
      expect(uses.toSorted()).toEqual([0, 1])
    }
  })

  test('given while a first project is being opened, the project is the agency’s', async () => {
    const code = await storeCode(world, people.ally, { maxUses: 100 })
    const customers = await Promise.all(Array.from({ length: 8 }, () => world.person()))
    const homes = await Promise.all(
      customers.map(async (customer, at) => {
        const giving = at % 2 ? give(code.code, customer) : null
        const home = world.home(customer)
        await (giving ?? give(code.code, customer))
        return home
      }),
    )
    for (const { projectId } of homes) expect(await agencyOfProject(projectId)).toBe(people.ally.agencyId)
  })

  test.each([
    ['nobody has', async () => 'ZZZZ9999', 'no existe'],
    [
      'a paused one',
      async () => (await storeCode(world, people.ally, { state: 'paused' })).code,
      'no existe',
    ],
    ['a draft', async () => (await storeCode(world, people.ally, { state: 'draft' })).code, 'no existe'],
    [
      'a revoked one',
      async () => (await storeCode(world, people.ally, { state: 'revoked' })).code,
      'no existe',
    ],
    [
      'one of next year',
      async () => (await storeCode(world, people.ally, { startsOn: '2099-01-01' })).code,
      'no existe',
    ],
    [
      'one of last year',
      async () => (await storeCode(world, people.ally, { endsOn: '2026-01-02' })).code,
      'venció',
    ],
    [
      'of an ally who left',
      async () =>
        (
          await storeCode(
            world,
            await world.person({ kind: 'alliate', agencyId: people.ally.agencyId!, active: false }),
          )
        ).code,
      'no existe',
    ],
    [
      'of an ally who sells for another agency now',
      async () => (await storeCode(world, other, { agencyId: people.ally.agencyId! })).code,
      'no existe',
    ],
    [
      'of a closed agency',
      async () => {
        const [closed] = await world.db
          .insert(agencies)
          .values({ name: `Cerrada ${newEmail()}`, active: false })
          .returning()
        const ally = await world.person({ kind: 'alliate', agencyId: closed!.id })
        return (await storeCode(world, ally)).code
      },
      'no existe',
    ],
  ])('%s is refused under its field, and what was typed stays', async (_name, make, words) => {
    const customer = await world.person()
    const code = await make()
    const answer = await give(code, customer)
    expect(answer.status).toBe(409)
    expect(readable(answer)).toContain(words)
    expect(answer.text).toContain(code)
    expect(await tiesOf(customer)).toEqual([])
  })
})

describe('one agency', () => {
  test('a code is added to what ties a customer to its agency, never to another, and never a second', async () => {
    const customer = await world.person()
    const tie = await storeTie(world, customer, {
      ...(await storeCode(world, people.ally)),
      id: null as never,
    })
    const [mine, second] = [await storeCode(world, people.ally), await storeCode(world, people.ally)]
    const theirs = await storeCode(world, other)
    expect(readable(await give(theirs.code, customer))).toContain('otra concesionaria')
    expect((await give(mine.code, customer)).status).toBe(303)
    expect(await tiesOf(customer)).toMatchObject([{ id: tie.id, codeId: mine.id }])
    expect(readable(await give(second.code, customer))).toContain('solo puedes usar uno')
    expect([(await codeNow(theirs)).uses, (await codeNow(second)).uses]).toEqual([0, 0])
  })

  test('allies bring nobody by their own e-mail or phone, and are not told whose it is', async () => {
    const { ally } = people
    const code = await storeCode(world, ally)
    const [name, domain] = ally.email.split('@')
    for (const wish of [{ phone: '5598123456' }, { email: `${name}+mio@${domain}`, phone: '5511119999' }]) {
      const answer = await give(code.code, await world.person(wish))
      expect(answer.status).toBe(409)
      expect(readable(answer)).toContain('no se puede usar con tu cuenta')
      expect(readable(answer)).not.toMatch(/aliado|concesionaria\./)
    }
    expect((await codeNow(code)).uses).toBe(0)
  })

  test('a code comes too late once the quote is accepted', async () => {
    const customer = await world.person()
    const visit = await visited(world, customer, people.technician)
    const draft = await storeDraft(world, visit, people.analyst)
    const accepted = {
      state: 'accepted' as const,
      acceptedOption: 'essential',
      acceptedTotal: 1160_00,
      depositAmount: 580_00,
      acceptedName: 'X',
      acceptedAt: new Date(),
      acceptedDigest: 'd',
      digest: 'd',
      sentAt: new Date(),
      validUntil: new Date(Date.now() + hour),
    }
    await world.db.update(quotes).set(accepted).where(eq(quotes.id, draft.id))
    expect(readable(await give((await storeCode(world, people.ally)).code, customer))).toContain(
      'antes de aceptar',
    )
    expect(readable(await world.visit('/quote', customer))).not.toContain('¿Tienes un código?')
  })

  test('a free visit takes back what its visit still asks for, and asks for nothing more', async () => {
    const customer = await world.person()
    const home = await world.home(customer)
    const visit = await storeVisit(world, customer, home, new Date(Date.now() + 48 * hour), {
      assigneeId: people.technician.id,
    })
    const [fee] = await world.db
      .insert(payments)
      .values({
        folio: `PAG-${visit.id.slice(-8)}`,
        projectId: home.projectId,
        customerId: customer.id,
        appointmentId: visit.id,
        concept: 'visit_fee',
        amount: 500_00,
      })
      .returning()
    const code = await storeCode(world, people.ally, { benefitKind: 'free_visit' })
    expect((await give(code.code, customer)).status).toBe(303)
    const [after] = await rowsIn(world, payments, { id: fee!.id })
    expect(after!.state).toBe('cancelled')
  })
})

describe('wrong tries', () => {
  test('five lock the account and the address, right ones count for nothing', async () => {
    const customer = await world.person()
    const right = await storeCode(world, people.ally)
    for (let tries = 0; tries < 5; tries++) expect((await give('ZZZZ9999', customer)).status).toBe(409)
    const locked = await give(right.code, customer)
    expect([locked.status, locked.text.includes('10 minutos')]).toEqual([429, true])
    // The account, from anywhere.
    const elsewhere = await world.secondBrowser(customer)
    expect((await give(right.code, elsewhere)).status).toBe(429)
    // The address, whoever asks.
    const neighbour = { ...(await world.person()), address: customer.address }
    expect((await give(right.code, neighbour)).status).toBe(429)
    world.at(new Date(Date.now() + 10 * 60_000 + 1000))
    expect((await give(right.code, customer)).status).toBe(303)
  })

  test('of many wrong ones at once five are looked at', async () => {
    const customer = await world.person()
    const answers = await Promise.all(Array.from({ length: 12 }, () => give('ZZZZ9999', customer)))
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
  })

  test('a family with one address uses six right codes one after the other', async () => {
    const code = await storeCode(world, people.ally)
    for (let at = 0; at < 6; at++) {
      const person = { ...(await world.person()), address: '198.51.100.7' }
      expect((await give(code.code, person)).status).toBe(303)
    }
  })
})

describe('the way from a link', () => {
  test('link, sign-up, profile: tied by the first link, also where a later one was followed', async () => {
    const [first, later] = [await storeCode(world, people.ally), await storeCode(world, other)]
    const as = world.visitor()
    const page = await world.visit(`/approach?codigo=${first.code}`, as)
    expect(page.cookies.some((line) => /^first-touch=.*Max-Age=7776000.*HttpOnly/i.test(line))).toBe(true)
    expect((await world.visit(`/approach?codigo=${later.code}`, as)).cookies.join()).not.toContain(
      'first-touch',
    )
    expect((await world.visit(`/signup?codigo=${later.code}`, as)).text).toContain(`value="${first.code}"`)
    const { answer, email } = await signUp({ codigo: first.code }, as)
    expect(answer.location).toBe('/completion')
    const user = (await userOf(email))!
    expect(await livingOf(user)).toMatchObject({ codeId: first.id, source: 'link' })
    // It brought somebody: whoever uses the browser next came otherwise.
    expect(as.cookies.has('first-touch')).toBe(false)
    expect(readable(await world.visit('/completion', as))).toContain(`Tu código ${first.code}`)
  })

  test('a typed code wins over the link, and a wrong one leaves no account and loses nothing typed', async () => {
    const [linked, typed] = [await storeCode(world, people.ally), await storeCode(world, other)]
    const as = world.visitor()
    await world.visit(`/approach?codigo=${linked.code}`, as)
    const wrong = await signUp({ codigo: 'ZZZZ9999' }, as)
    expect(wrong.answer.status).toBe(409)
    expect(readable(wrong.answer)).toContain('no existe')
    expect(wrong.answer.text).toContain(wrong.email)
    expect(await userOf(wrong.email)).toBeUndefined()
    const { email } = await signUp({ codigo: typed.code }, as, wrong.email)
    expect(await livingOf((await userOf(email))!)).toMatchObject({ codeId: typed.id, source: 'code' })
  })

  test('a known e-mail uses no code, and hears what it hears without one', async () => {
    const code = await storeCode(world, people.ally)
    const { answer } = await signUp({ codigo: code.code }, world.visitor(), people.customer.email)
    expect(answer.status).toBe(409)
    expect(readable(answer)).toContain('Ya hay una cuenta con este correo')
    expect((await codeNow(code)).uses).toBe(0)
  })

  test('who signed up at a provider gives the code with the profile; an ally’s phone ends what began before', async () => {
    const code = await storeCode(world, people.ally)
    const profile = { name: 'Eva', lastname: 'Luna', phone: '5511112222', role: '' }
    const provided = await world.person({ name: null })
    const wrong = await world.post('/completion', { ...profile, codigo: 'ZZZZ9999' }, provided)
    expect([wrong.status, wrong.text.includes('Luna')]).toEqual([409, true])
    expect((await userOf(provided.email))!.name).toBeNull()
    await world.post('/completion', { ...profile, codigo: code.code }, provided)
    expect(await livingOf(provided)).toMatchObject({ codeId: code.id })

    const { as, email } = await signUp({ codigo: code.code })
    const user = (await userOf(email))!
    expect(await livingOf(user)).toBeDefined()
    await world.post('/completion', { ...profile, phone: '5598123456' }, as)
    expect(await tiesOf(user)).toMatchObject([{ endedReason: 'self_referral' }])
    expect((await codeNow(code)).uses).toBe(1)
  })

  test('somebody signed in is led to where the code is used', async () => {
    const { location } = await world.visit('/approach?codigo=SALVA22', people.customer)
    expect(location).toBe('/quote?codigo=SALVA22')
    expect((await world.visit(location!, people.customer)).text).toContain('value="SALVA22"')
    expect((await world.visit('/approach?codigo=SALVA22', people.manager)).location).toBe('/admin')
  })
})
