import { z } from 'zod'
import { type StaffKind, staffKinds } from '../../../domain/access/actor.ts'
import { normalisePhone, requiredEmail } from '../../../domain/shared/schema.ts'
import { type FirebaseHashing, keepFirebase } from '../../accounts/firebase-password.ts'
import { type AuthUser, momentOf, type Profile } from './export-files.ts'

/** Why somebody is left out. */
export type Obstacle = 'no_email' | 'wrong_email' | 'twice' | 'unknown_kind' | 'unproved_staff'
/** What somebody comes without. */
export type Lack = 'password' | 'name' | 'phone' | 'agency' | 'profile'

export type Newcomer = {
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

export type Plan = { newcomers: Newcomer[]; left: { uid: string; obstacle: Obstacle }[] }

/**
 * Who comes over, and as whom; and who can't, with the reason. Nothing is asked of a database. Staff come as staff only
 * with a mailbox that was proved: the others are invited by hand.
 */
export function planOf(
  people: readonly AuthUser[],
  profiles: ReadonlyMap<string, Profile>,
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

function obstacleOf({ email, emailVerified }: AuthUser, profile: Profile | undefined, seen: Set<string>) {
  if (!email?.trim()) return 'no_email' satisfies Obstacle
  const { data: address, success } = requiredEmail.safeParse(email)
  if (!success) return 'wrong_email' satisfies Obstacle
  if (seen.has(address)) return 'twice' satisfies Obstacle
  seen.add(address)
  if (profile?.role !== 'staff') return null
  if (!isKind(profile.kind)) return 'unknown_kind' satisfies Obstacle
  return emailVerified ? null : ('unproved_staff' satisfies Obstacle)
}

const isKind = (kind: unknown): kind is StaffKind => z.enum(staffKinds).safeParse(kind).success

function newcomerOf(person: AuthUser, profile: Profile | undefined, hashing: FirebaseHashing): Newcomer {
  const kind = profile?.role === 'staff' && isKind(profile.kind) ? profile.kind : null
  const made = {
    uid: person.localId,
    email: requiredEmail.parse(person.email),
    emailVerified: person.emailVerified,
    name: tidied(profile?.name),
    lastname: tidied(profile?.lastname),
    phone: normalisePhone(String(profile?.phone ?? '')),
    kind,
    agency: kind === 'alliate' ? tidied(profile?.agency) : null,
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

function lacksOf(made: Omit<Newcomer, 'lacks'>, profile: Profile | undefined): Lack[] {
  const lacks: Lack[] = []
  if (!profile) lacks.push('profile')
  if (!made.password) lacks.push('password')
  if (profile && !made.name) lacks.push('name')
  if (profile?.phone && !made.phone) lacks.push('phone')
  if (made.kind === 'alliate' && !made.agency) lacks.push('agency')
  return lacks
}
