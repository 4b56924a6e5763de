import { createHmac, randomUUID } from 'node:crypto'
import type { Actor, Role, StaffKind } from '../../src/access/rules/actor.ts'
import type { Db } from '../../src/platform/database/client.ts'
import { personZones, sessions, shifts, users } from '../../src/platform/database/schema/accounts.ts'
import { addresses, agencies, projects } from '../../src/platform/database/schema/projects.ts'
import { type Address, addressInput } from '../../src/projects/rules/schema.ts'
import type { Shift } from '../../src/scheduling/rules/roster.ts'
import { defaultSettings } from '../../src/settings/rules/settings-schema.ts'
import type { MunicipalitySlug } from '../../src/shared/places.ts'
import { newVisitor, type Visitor } from './visitor.ts'

/** The key that signs the tests' sessions. */
export const secret = 'only-for-tests-only-for-tests-only-for-tests'

/** A user who signed in: a row, a session, a browser with its cookie. `actor` is how rules and queries know them. */
export type Person = Visitor & {
  id: string
  email: string
  name: string | null
  role: Role
  kind: StaffKind | null
  agencyId: string | null
  actor: Actor
}

export type PersonInput = {
  /** Makes them staff. */
  kind?: StaffKind
  /** Null is a profile that was never completed. */
  name?: string | null
  lastname?: string
  phone?: string
  email?: string
  active?: boolean
  /** Default: the mailbox is proved. */
  emailVerified?: boolean
  agencyId?: string
  /** Default: technicians and analysts work when the house is open; no one else has any. */
  shifts?: readonly Shift[]
  /** None is all of them. */
  zones?: readonly MunicipalitySlug[]
}

const openingHours: Shift[] = defaultSettings.hours.flatMap((hours, weekday) =>
  hours ? [{ weekday, ...hours }] : [],
)
const aYear = 365 * 24 * 60 * 60 * 1000

/** Inserts a person with a session. */
export const insertPerson = async (db: Db, input: PersonInput = {}): Promise<Person> =>
  (await insertPersons(db, [input]))[0]!

/** Inserts several people, each with a session, in few statements. */
async function insertPersons(db: Db, inputs: readonly PersonInput[]): Promise<Person[]> {
  const rows = await db.insert(users).values(inputs.map(userRow)).returning()
  const tokens = rows.map(() => randomUUID())
  await Promise.all([
    insertHours(db, rows, inputs),
    db.insert(sessions).values(rows.map(({ id }, at) => sessionRow(id, tokens[at]!))),
  ])
  return rows.map((row, at) => {
    const { agencyId, email, emailVerified, id, kind, lastname, name, role } = row
    const actor = {
      id,
      email,
      emailVerified,
      name,
      lastname,
      role,
      kind,
      agencyId,
      twoFactor: false,
    } as Actor
    const visitor = newVisitor()
    visitor.cookies.set('carga.session_token', signed(tokens[at]!))
    return { ...visitor, id, email, name, role, kind, agencyId, actor } as Person
  })
}

function userRow(input: PersonInput) {
  const { kind = null, name = 'Persona', lastname = 'Prueba', active = true, emailVerified = true } = input
  // By the same phone a customer would be one of the agency's own allies, whose codes are not for them.
  const phone = input.phone ?? (kind === 'alliate' ? '5598123456' : '5512345678')
  const profile = name === null ? {} : { name, lastname, phone }
  const email = input.email ?? `${kind ?? 'cliente'}-${randomUUID().slice(0, 8)}@prueba.mx`
  const role: Role = kind ? 'staff' : 'customer'
  const agreed = { termsVersion: '2025-01', termsAcceptedAt: new Date() }
  return { ...profile, ...agreed, email, role, kind, agencyId: input.agencyId ?? null, active, emailVerified }
}

async function insertHours(db: Db, people: readonly { id: string }[], inputs: readonly PersonInput[]) {
  const works = ({ kind }: PersonInput) => kind === 'tecnician' || kind === 'analyst'
  const hours = people.flatMap(({ id }, at) =>
    (inputs[at]!.shifts ?? (works(inputs[at]!) ? openingHours : [])).map(({ weekday, from, to }) => ({
      personId: id,
      weekday,
      starts: from,
      ends: to,
    })),
  )
  const zones = people.flatMap(({ id }, at) =>
    (inputs[at]!.zones ?? []).map((municipality) => ({ personId: id, municipality })),
  )
  if (hours.length > 0) await db.insert(shifts).values(hours)
  if (zones.length > 0) await db.insert(personZones).values(zones)
}

const sessionRow = (userId: string, token: string) => ({
  userId,
  token,
  expiresAt: new Date(Date.now() + aYear),
})

const signed = (token: string) =>
  encodeURIComponent(`${token}.${createHmac('sha256', secret).update(token).digest('base64')}`)

/** A new session of a user; answers the value of its cookie, signed as the sign-in library does. */
export async function openSession(db: Db, userId: string): Promise<string> {
  const token = randomUUID()
  await db.insert(sessions).values(sessionRow(userId, token))
  return signed(token)
}

/** Inserts an agency, of a name that no other has unless it is given one. */
export async function insertAgency(db: Db, input: Partial<typeof agencies.$inferInsert> = {}) {
  const [agency] = await db
    .insert(agencies)
    .values({ name: `Agencia ${randomUUID()}`, ...input })
    .returning()
  return agency!
}

/** The people of most stories, by their job. Both technicians go everywhere. */
export async function insertPeople(db: Db) {
  const { id: agencyId } = await insertAgency(db, { name: 'Concesionaria de prueba' })
  const inputs = {
    customer: { name: 'Camila' },
    customer2: { name: 'Carlos' },
    manager: { kind: 'manager', name: 'Mariana' },
    technician: { kind: 'tecnician', name: 'Tomás' },
    technician2: { kind: 'tecnician', name: 'Teresa' },
    analyst: { kind: 'analyst', name: 'Andrés' },
    gester: { kind: 'gester', name: 'Gerardo' },
    ally: { kind: 'alliate', name: 'Alicia', agencyId },
  } satisfies Record<string, PersonInput>
  const people = await insertPersons(db, Object.values(inputs))
  return Object.fromEntries(Object.keys(inputs).map((job, at) => [job, people[at]!])) as Record<
    keyof typeof inputs,
    Person
  >
}

/** The form of an address in Coyoacán, as /address takes it. */
export const addressForm = {
  postalCode: '04000',
  colonia: 'Villa Coyoacán',
  street: 'Calle Ejemplo',
  outerNumber: '12',
  dwelling: 'house',
  parking: 'own_covered',
}

export type Home = { projectId: string; addressId: string; address: Address }

/** An open project with an address for a customer; in Coyoacán unless `changes` of the form say otherwise. */
export async function insertHome(
  db: Db,
  customer: Person,
  changes: Partial<Record<string, string>> = {},
  agencyId?: string,
): Promise<Home> {
  const address = addressInput.parse({ ...addressForm, ...changes })
  const [project] = await db
    .insert(projects)
    .values({ customerId: customer.id, agencyId: agencyId ?? null })
    .returning()
  const projectId = project!.id
  const [row] = await db
    .insert(addresses)
    .values({ ...address, projectId })
    .returning()
  return { projectId, addressId: row!.id, address }
}
