import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { attributeByManager } from '../src/agencies/attributions.ts'
import type { NewClient } from '../src/agencies/client-invitations.ts'
import { createCode, moveCode } from '../src/agencies/codes.ts'
import { registerAgain } from '../src/agencies/join.ts'
import { redeemOnSignUp } from '../src/agencies/redeem.ts'
import type { ClientSource } from '../src/agencies/rules/clients.ts'
import type { Benefit } from '../src/agencies/rules/codes.ts'
import { saveAddress } from '../src/customers/addresses.ts'
import { registerAtCounter } from '../src/customers/clients.ts'
import { makeKey } from '../src/integrations/public-api/keys.ts'
import { transaction } from '../src/platform/database/client.ts'
import { apiKeys, codes } from '../src/platform/database/schema/agencies.ts'
import { addDays, localDate, toMinutes } from '../src/shared/calendar.ts'
import type { Stage, Story } from './past.ts'
import { allies, consentVersion, type DemoCustomer, network, secondHome, twoHomesCustomer } from './people.ts'

/** A customer's attribution to the demo agency: its source, its code, and the manager's reason. */
type DemoTie = { source: ClientSource; ally: 0 | 1; code?: string; reason?: string }

/** By the customer's position in the list: the clients of the demo agency, at every stage of its customers. */
const demoTies: ReadonlyMap<number, DemoTie> = new Map<number, DemoTie>([
  // Waits for the manager, with a free visit.
  [0, { source: 'link', ally: 1, code: 'VENTAS33' }],
  // The visit is assigned.
  [2, { source: 'code', ally: 0, code: 'PRUEBA22' }],
  // Ready to book the installation.
  [8, { source: 'counter', ally: 1 }],
  // The installation is booked.
  [9, { source: 'link', ally: 1, code: 'VERANA24' }],
  // Installed, the first of them long ago.
  [27, { source: 'code', ally: 1, code: 'PAUSA44' }],
  [21, { source: 'code', ally: 0, code: 'PRE25AUT' }],
  [17, { source: 'link', ally: 0, code: 'PRE25AUT' }],
  [13, { source: 'counter', ally: 0 }],
  [11, { source: 'manager', ally: 1, reason: 'Compró su auto en la concesionaria y lo contó por teléfono.' }],
  [43, { source: 'link', ally: 0, code: 'PRUEBA22' }],
  // Received a quote that shows the code's discount.
  [38, { source: 'code', ally: 0, code: 'PRUEBA22' }],
  // The deposit's proof waits for the review.
  [40, { source: 'api', ally: 0, code: 'PRUEBA22' }],
])

type DemoClient = Pick<NewClient, 'name' | 'lastname' | 'phone' | 'vehicle'> & {
  source: 'counter' | 'api'
  ally: 0 | 1
}

const car = (model: string, year: number) => ({ brand: 'Marca Ejemplo', model, year, deliveredOn: null })

/** Clients whom an ally registered and who have no account yet; days before today. */
const demoInvited: readonly (DemoClient & { days: number })[] = [
  {
    name: 'Abril',
    lastname: 'Tovar Demo',
    phone: '5555550301',
    source: 'counter',
    ally: 0,
    days: 1,
    vehicle: car('Modelo E', 2026),
  },
  {
    name: 'Benito',
    lastname: 'Ríos Demo',
    phone: '5555550302',
    source: 'counter',
    ally: 1,
    days: 6,
    vehicle: null,
  },
  {
    name: 'Citlali',
    lastname: 'Mora Demo',
    phone: '5555550303',
    source: 'api',
    ally: 0,
    days: 13,
    vehicle: car('Modelo S', 2025),
  },
]

/** A code of the demo agency: its owner's position among the allies, and its life in days from today. */
type DemoCode = {
  codeText: string
  label: string | null
  owner: 0 | 1
  benefit: Benefit
  maxUses: number
  ends: number | null
  made: number
  next?: { move: 'approve' | 'pause' | 'revoke'; at: number }
}

const percent = (value: number): Benefit => ({ kind: 'percent', value })

/**
 * One code in each state, and two active ones: uses exhaust one, and another expires. Of the codes above the agency's
 * limit one was approved, and one waits for the manager.
 */
const demoCodes: readonly DemoCode[] = [
  {
    codeText: 'PRUEBA22',
    label: 'Piso de ventas',
    owner: 0,
    benefit: percent(10_00),
    maxUses: 50,
    ends: null,
    made: -200,
  },
  {
    codeText: 'VENTAS33',
    label: 'Entrega de autos',
    owner: 1,
    benefit: { kind: 'free_visit' },
    maxUses: 20,
    ends: 60,
    made: -40,
    next: { move: 'approve', at: -39 },
  },
  {
    codeText: 'FERZA25',
    label: 'Feria del auto',
    owner: 0,
    benefit: percent(15_00),
    maxUses: 100,
    ends: 90,
    made: -1,
  },
  {
    codeText: 'PAUSA44',
    label: 'Flotillas',
    owner: 1,
    benefit: { kind: 'none' },
    maxUses: 10,
    ends: null,
    made: -330,
    next: { move: 'pause', at: -60 },
  },
  {
    codeText: 'PRE25AUT',
    label: 'Preventa',
    owner: 0,
    benefit: percent(5_00),
    maxUses: 2,
    ends: null,
    made: -300,
  },
  {
    codeText: 'VERANA24',
    label: 'Campaña de verano',
    owner: 1,
    benefit: { kind: 'none' },
    maxUses: 30,
    ends: -8,
    made: -120,
  },
  {
    codeText: 'ERRATA99',
    label: null,
    owner: 0,
    benefit: percent(2_00),
    maxUses: 5,
    ends: null,
    made: -90,
    next: { move: 'revoke', at: -89 },
  },
]

const [hour, day] = [3_600_000, 86_400_000]
/** The same time of another day. */
const onDay = ({ now }: Stage, days: number) => new Date(now.getTime() + days * day)

/** The agency's codes, its invited clients, and the key of its own system, whose text is never shown. */
export const agencyStories = (agencyId: string, stage: Stage): Story[] => [
  ...demoCodes.map((code) => codeStory(code, stage)),
  ...demoInvited.map((client) => invitedStory(client, stage)),
  keyStory(agencyId, stage),
]

async function* codeStory(code: DemoCode, stage: Stage): Story {
  const { benefit, ends, made, next, owner, ...details } = code
  const { actor, manager, now, past } = stage
  const [at, ally] = [onDay(stage, made), actor(allies[owner]!.email)]
  yield at
  const days = {
    startsOn: localDate(toMinutes(at)),
    endsOn: ends === null ? null : addDays(localDate(toMinutes(now)), ends),
  }
  const gives = { benefitKind: benefit.kind, benefitValue: 'value' in benefit ? benefit.value : 0 }
  const { id } = await createCode(past.db, ally, { ...details, ...days, ...gives, activate: true }, at)
  if (!next) return
  const later = onDay(stage, next.at)
  yield later
  const [row] = await past.db.select().from(codes).where(eq(codes.id, id))
  const by = next.move === 'approve' ? manager : ally
  await moveCode(past.db, by, id, next.move, { version: row!.version }, later)
}

async function* invitedStory({ days, ...client }: (typeof demoInvited)[number], stage: Stage): Story {
  const at = onDay(stage, -days)
  yield at
  await register(client, stage, at)
}

/** An ally registers a client, or the agency's own system does; returns the token of the invitation. */
async function register({ ally, source, ...person }: DemoClient, { actor, past }: Stage, at: Date) {
  const client = { ...person, email: null, code: null, reference: `DMS-${person.phone.slice(-3)}` }
  const registrar = actor(allies[ally]!.email)
  if (source === 'counter') {
    const wish = { client, requestKey: randomUUID(), consentVersion }
    return (await registerAtCounter(past.db, registrar, wish, at)).token
  }
  const { agencyId, id: allyId } = registrar
  const system = { agencyId: agencyId!, allyId, source, actorId: null, consentVersion }
  return (await transaction(past.db, (tx) => registerAgain(tx, system, client, at))).token
}

async function* keyStory(agencyId: string, stage: Stage): Story {
  const { manager, past } = stage
  const at = onDay(stage, -60)
  yield at
  const scopes = ['clients:write', 'clients:read'] as const
  await makeKey(
    past.db,
    manager,
    agencyId,
    { name: 'Sistema de ventas', scopes: [...scopes], life: 'never', sandbox: false },
    at,
  )
  // As a request of the agency's system does.
  const used = onDay(stage, -1)
  yield used
  await past.db.update(apiKeys).set({ lastUsedAt: used })
}

type Comer = { of: number; customer: DemoCustomer; joined: Date }

/** A customer comes, by a code or an invitation or alone, and gives the address. */
export async function* comingStory({ customer, joined, of }: Comer, stage: Stage): Story {
  const { actor, manager, past } = stage
  const tie = demoTies.get(of)
  const person = actor(customer.email)
  let invitation: string | null = null
  if (tie?.source === 'counter' || tie?.source === 'api') {
    const { lastname, name, phone } = customer
    const details = { name, lastname, phone, vehicle: null, ally: tie.ally, source: tie.source }
    const registered = new Date(joined.getTime() - 30 * hour)
    yield registered
    invitation = await register(details, stage, registered)
  }
  yield joined
  const brought = { code: tie?.code ?? null, isFromLink: tie?.source === 'link', invitation }
  if (tie) await redeemOnSignUp(past.db, person, brought, { address: network, now: joined })
  await saveAddress(past.db, person, { address: customer.address, version: null, moveVisit: false }, joined)
  if (tie?.source !== 'manager') return
  const wish = { allyId: actor(allies[tie.ally]!.email).id, seen: null, reason: tie.reason!, now: joined }
  await attributeByManager(past.db, manager, person.id, wish)
}

/** A customer with two homes under way gives the second one a day later. */
export async function* secondHomeStory({ actor, now, past }: Stage): Story {
  const given = new Date(now.getTime() - 24 * hour)
  yield given
  const wish = { address: secondHome, version: null, moveVisit: false }
  await saveAddress(past.db, actor(twoHomesCustomer.email), wish, given, randomUUID())
}
