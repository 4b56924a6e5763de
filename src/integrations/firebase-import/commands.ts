import { readFile } from 'node:fs/promises'
import { type AnyColumn, sql } from 'drizzle-orm'
import { isAlly, isStaff, type StaffKind, staffKinds } from '../../access/rules/actor.ts'
import { type FirebaseHashing, keepFirebase } from '../../accounts/password.ts'
import { providerId } from '../../accounts/provider.ts'
import { type Db, type Tx, transaction } from '../../platform/database/client.ts'
import { record } from '../../platform/database/lists.ts'
import { accounts, importedUsers, users } from '../../platform/database/schema/accounts.ts'
import { agencies } from '../../platform/database/schema/projects.ts'
import { requiredEmail } from '../../shared/schema.ts'
import { normalisePhone } from '../../shared/search.ts'
import { momentOf, readAuthUsers, readHashing, readProfiles } from './export-files.ts'
import type { AuthUser, FirebaseProfile } from './schema.ts'

/**
 * `npm run import -- people.json users.json hash.txt [--apply]`: brings a Firebase project's people over. Without
 * the option it only says what it would do.
 */
export async function peopleImport(args: readonly string[]) {
  const [people, profiles, hashing, option] = args
  if (!people || !profiles || !hashing || (option && option !== '--apply'))
    throw new Error('Usage: npm run import -- users.json profiles.json hash-parameters.txt [--apply]')
  const [first, second, third] = await Promise.all([people, profiles, hashing].map(contentOf))
  const plan = planOf(readAuthUsers(first!), readProfiles(second!), readHashing(third!))
  const dry = option === undefined
  return async (db: Db, { provider }: { provider: { issuer: string } | null }) => {
    const google = provider?.issuer.replace(/\/$/, '') === 'https://accounts.google.com'
    return reportOf(plan, await bringOver(db, plan.newcomers, { dry, google }), dry)
  }
}

const contentOf = (file: string) =>
  readFile(file, 'utf8').catch(() => {
    throw new Error(`Cannot read ${file}`)
  })

const obstacleWords: Record<Obstacle, string> = {
  no_email: 'has no e-mail',
  wrong_email: 'has an invalid e-mail',
  twice: 'has an e-mail that occurs twice in the file',
  unknown_kind: 'is staff of a kind that does not exist here',
  unproved_staff: 'is staff and never verified the e-mail: invite them at /admin/users',
}

const lackWords: Record<Lack, string> = {
  profile: 'no document in the collection',
  password: 'no password (signs in with the provider, or resets it by e-mail)',
  name: 'no name (asked for at the next sign-in)',
  phone: 'phone is not 10 digits: left empty',
  agency: 'no agency',
}

const doneWords: Record<Outcome['done'], string> = {
  made: 'imported',
  before: 'imported before',
  known_email: 'skipped: an account with that e-mail exists and stays as it is',
}

/** What a run did or would do, in lines for a person who runs it: sums first, then each person who needs a look. */
export function reportOf({ left }: Pick<Plan, 'left'>, outcomes: readonly Outcome[], dry: boolean): string {
  const made = outcomes.filter(({ done }) => done === 'made').map(({ newcomer }) => newcomer)
  const staff = made.filter(({ kind }) => kind)
  return [
    dry ? 'Dry run: nothing was written. Add --apply to import.' : 'Done.',
    ...Object.entries(doneWords).map(
      ([done, words]) => `${outcomes.filter((one) => one.done === done).length} ${words}`,
    ),
    `${left.length} left out`,
    '',
    `Staff (${staff.length}):`,
    ...staff.map(({ active, email, kind }) => `  ${email} · ${kind}${active ? '' : ' · inactive'}`),
    '',
    'To check:',
    ...made.filter(({ lacks }) => lacks.length > 0).map(({ email, lacks }) => `  ${email}: ${listed(lacks)}`),
    ...outcomes
      .filter(({ newcomer, withoutAgency }) => withoutAgency && newcomer.agency)
      .map(
        ({ newcomer }) =>
          `  ${newcomer.email}: agency ${newcomer.agency} does not exist here: assign one at /admin/users`,
      ),
    ...outcomes
      .filter(({ done }) => done === 'known_email')
      .map(({ newcomer }) => `  ${newcomer.email}: ${doneWords.known_email}`),
    '',
    'Left out:',
    ...left.map(({ obstacle, uid }) => `  ${uid}: ${obstacleWords[obstacle]}`),
  ].join('\n')
}

const listed = (lacks: readonly Lack[]) => lacks.map((lack) => lackWords[lack]).join('; ')

/** What became, or would become, of one of them: made now, brought before, or of an e-mail that a person here has. */
type Outcome = { newcomer: Newcomer; done: 'made' | 'before' | 'known_email'; withoutAgency: boolean }

const source = 'firebase'

type Options = {
  /** Writes nothing, and answers what would be. */
  dry: boolean
  /** Accounts of Google are ours to know too: that is who signs people in here. */
  google: boolean
}

/** Brings people over, each in a transaction of their own: a run that was cut short is simply run again. */
export async function bringOver(
  db: Db,
  newcomers: readonly Newcomer[],
  options: Options,
): Promise<Outcome[]> {
  const agencyIds = await agenciesByName(db)
  const known = await knownAmong(db, newcomers)
  const outcomes: Outcome[] = []
  for (const newcomer of newcomers) {
    const agencyId = agencyIds.get(newcomer.agency?.toLowerCase() ?? '') ?? null
    const withoutAgency = isAlly(newcomer) && agencyId === null
    let done = known(newcomer)
    if (done === 'made' && !options.dry)
      done = await transaction(db, (tx) => bring(tx, newcomer, agencyId, options.google))
    outcomes.push({ newcomer, done, withoutAgency })
  }
  return outcomes
}

async function bring(tx: Tx, newcomer: Newcomer, agencyId: string | null, google: boolean) {
  const { active, createdAt, email, emailVerified, kind, lastname, name, phone, signedUpAt } = newcomer
  const [made] = await tx
    .insert(users)
    .values({
      email,
      emailVerified,
      name,
      lastname,
      phone,
      active,
      kind,
      agencyId,
      role: kind ? 'staff' : 'customer',
      signedUpAt: signedUpAt ?? createdAt ?? new Date(),
      createdAt: createdAt ?? signedUpAt ?? new Date(),
    })
    .onConflictDoNothing()
    .returning({ id: users.id })
  if (!made) return 'known_email' as const
  await tx.insert(importedUsers).values({ source, sourceId: newcomer.uid, userId: made.id })
  if (newcomer.password)
    await tx.insert(accounts).values({
      userId: made.id,
      accountId: made.id,
      providerId: 'credential',
      password: newcomer.password,
    })
  if (google && newcomer.googleId)
    await tx.insert(accounts).values({ userId: made.id, accountId: newcomer.googleId, providerId })
  await record(tx, { entity: 'user', entityId: made.id, name: 'bring_over', data: { source } })
  return 'made' as const
}

/** One parameter for all of them: a statement takes 65,535, and a project may have more people. */
const oneOf = (column: AnyColumn, values: string[]) => sql`${column} = any(${sql.param(values)}::text[])`

async function knownAmong(db: Db, newcomers: readonly Newcomer[]) {
  const before = await db
    .select({ id: importedUsers.sourceId })
    .from(importedUsers)
    .where(
      oneOf(
        importedUsers.sourceId,
        newcomers.map(({ uid }) => uid),
      ),
    )
  const there = await db
    .select({ email: users.email })
    .from(users)
    .where(
      oneOf(
        users.email,
        newcomers.map(({ email }) => email),
      ),
    )
  const uids = new Set(before.map(({ id }) => id))
  const emails = new Set(there.map(({ email }) => email))
  return ({ email, uid }: Newcomer): Outcome['done'] => {
    if (uids.has(uid)) return 'before'
    return emails.has(email) ? 'known_email' : 'made'
  }
}

async function agenciesByName(db: Db): Promise<Map<string, string>> {
  const rows = await db.select({ id: agencies.id, name: sql<string>`lower(${agencies.name})` }).from(agencies)
  return new Map(rows.map(({ id, name }) => [name, id]))
}

/** Why a person is left out. */
type Obstacle = 'no_email' | 'wrong_email' | 'twice' | 'unknown_kind' | 'unproved_staff'

/** What a person comes without. */
type Lack = 'password' | 'name' | 'phone' | 'agency' | 'profile'

type Newcomer = {
  uid: string
  email: string
  emailVerified: boolean
  name: string | null
  lastname: string | null
  phone: string | null
  kind: StaffKind | null
  /** By its name or number there; who it is here is found out when they are written. */
  agency: string | null
  active: boolean
  /** As it is kept; null for who came by a provider only. */
  password: string | null
  googleId: string | null
  signedUpAt: Date | null
  createdAt: Date | null
  lacks: Lack[]
}

type Plan = { newcomers: Newcomer[]; left: { uid: string; obstacle: Obstacle }[] }

/**
 * Who comes over, and as whom; and who can't, with the reason. Nothing is asked of a database. Staff come as staff only
 * with a mailbox that was proved: the others are invited by hand.
 */
export function planOf(
  people: readonly AuthUser[],
  profiles: ReadonlyMap<string, FirebaseProfile>,
  hashing: FirebaseHashing,
): Plan {
  const plan: Plan = { newcomers: [], left: [] }
  const seen = new Set<string>()
  for (const person of people) {
    const obstacle = obstacleOf(person, profiles.get(person.localId), seen)
    if (obstacle) plan.left.push({ uid: person.localId, obstacle })
    else plan.newcomers.push(newcomerOf(person, profiles.get(person.localId), hashing))
  }
  return plan
}

function obstacleOf(
  { email, emailVerified }: AuthUser,
  profile: FirebaseProfile | undefined,
  seen: Set<string>,
) {
  if (!email?.trim()) return 'no_email' satisfies Obstacle
  const { data: address, success } = requiredEmail.safeParse(email)
  if (!success) return 'wrong_email' satisfies Obstacle
  if (seen.has(address)) return 'twice' satisfies Obstacle
  seen.add(address)
  if (!isStaff(profile)) return null
  if (!isKind(profile.kind)) return 'unknown_kind' satisfies Obstacle
  return emailVerified ? null : ('unproved_staff' satisfies Obstacle)
}

const isKind = (kind: unknown): kind is StaffKind => staffKinds.some((one) => one === kind)

function newcomerOf(
  person: AuthUser,
  profile: FirebaseProfile | undefined,
  hashing: FirebaseHashing,
): Newcomer {
  const kind = isStaff(profile) && isKind(profile.kind) ? profile.kind : null
  const made = {
    uid: person.localId,
    email: requiredEmail.parse(person.email),
    emailVerified: person.emailVerified,
    name: tidied(profile?.name),
    lastname: tidied(profile?.lastname),
    phone: normalisePhone(String(profile?.phone ?? '')),
    kind,
    agency: isAlly({ kind }) ? tidied(profile?.agency) : null,
    active: !person.disabled && profile?.active !== false,
    password: passwordOf(person, hashing),
    googleId: person.providerUserInfo.find(({ providerId }) => providerId === 'google.com')?.rawId ?? null,
    signedUpAt: momentOf(person.createdAt),
    createdAt: momentOf(profile?.createdAt),
  }
  return { ...made, lacks: lacksOf(made, profile) }
}

const mostOfAName = 80
const tidied = (text: string | null | undefined) =>
  text?.normalize('NFC').replace(/\s+/g, ' ').trim().slice(0, mostOfAName) || null

function passwordOf({ passwordHash, salt }: AuthUser, hashing: FirebaseHashing): string | null {
  // Of another length, it is of another way to hash, or the word that an export has where it may not tell.
  if (!passwordHash || lengthOf(passwordHash) !== lengthOf(hashing.signerKey)) return null
  return keepFirebase(hashing, { passwordHash: standard(passwordHash), salt: standard(salt ?? '') })
}

const lengthOf = (base64: string) => Buffer.from(base64, 'base64').length

/** Exports write Base64 in the alphabet of addresses, or in the usual one. */
const standard = (base64: string) => base64.replaceAll('-', '+').replaceAll('_', '/')

function lacksOf(made: Omit<Newcomer, 'lacks'>, profile: FirebaseProfile | undefined): Lack[] {
  const lacks: Lack[] = []
  if (!profile) lacks.push('profile')
  if (!made.password) lacks.push('password')
  if (profile && !made.name) lacks.push('name')
  if (profile?.phone && !made.phone) lacks.push('phone')
  if (isAlly(made) && !made.agency) lacks.push('agency')
  return lacks
}
