import { z } from 'zod'
import { en } from 'zod/locales'
import { fromEpochSeconds } from '../../../domain/shared/calendar.ts'
import type { FirebaseHashing } from '../../accounts/password.ts'

// What the three files of a Firebase project hold, as far as it is needed; whatever else is in them is passed over.

const authUser = z.object({
  localId: z.string().min(1),
  email: z.string().optional(),
  emailVerified: z.boolean().default(false),
  passwordHash: z.string().optional(),
  salt: z.string().optional(),
  disabled: z.boolean().default(false),
  createdAt: z.union([z.string(), z.number()]).optional(),
  providerUserInfo: z.array(z.object({ providerId: z.string(), rawId: z.string() })).default([]),
})

const text = z.string().nullish()
const profile = z.object({
  name: text,
  lastname: text,
  email: text,
  role: text,
  kind: text,
  agency: text,
  phone: z.union([z.string(), z.number()]).nullish(),
  active: z.boolean().nullish(),
  createdAt: z.unknown().optional(),
})

export type AuthUser = z.infer<typeof authUser>
export type FirebaseProfile = z.infer<typeof profile>

/** The people of `firebase auth:export people.json --format=json`. */
export function readAuthUsers(content: string): AuthUser[] {
  const shape = z.object({ users: z.array(authUser) })
  return parsed(shape, json(content, 'users'), 'users').users
}

/**
 * The documents of the collection `users`, by uid: an object keyed by it, a list of documents that carry it (`uid` or
 * `id`), or such documents one to a line.
 */
export function readProfiles(content: string): Map<string, FirebaseProfile> {
  const lines = content.trim().split('\n')
  const isLines =
    lines.length > 1 && lines.every((line) => line.trim().startsWith('{') && line.trim().endsWith('}'))
  const whole = isLines ? lines.map((line) => json(line, 'profiles')) : json(content, 'profiles')
  const entries = Array.isArray(whole)
    ? whole.map((one) => [uidOf(one), one] as const)
    : Object.entries(whole as object)
  return new Map(entries.map(([uid, one]) => [uid, parsed(profile, one, 'profiles')]))
}

/** The parameters as the console shows them to copy (`hash_config { … }`). */
export function readHashing(content: string): FirebaseHashing {
  const value = (name: string) => new RegExp(`${name}\\s*:\\s*"?([^",\\s}]+)`).exec(content)?.[1]
  const shape = z.object({
    signerKey: z.base64().min(8),
    saltSeparator: z.base64(),
    rounds: z.coerce.number().int().min(1).max(8),
    memCost: z.coerce.number().int().min(1).max(14),
  })
  if (value('algorithm')?.toUpperCase() !== 'SCRYPT')
    throw new Error(
      'The hash parameters file does not say algorithm: SCRYPT, the only one of Firebase Authentication',
    )
  const [signerKey, saltSeparator] = [value('base64_signer_key'), value('base64_salt_separator')]
  const found = { signerKey, saltSeparator, rounds: value('rounds'), memCost: value('mem_cost') }
  return parsed(shape, found, 'hash parameters')
}

/** A moment in any of the ways exports write one: ISO text, seconds, milliseconds, or a Timestamp's fields. */
export function momentOf(value: unknown): Date | null {
  const seconds = z
    .object({ _seconds: z.number() })
    .or(z.object({ seconds: z.number() }))
    .safeParse(value)
  if (seconds.success)
    return momentOf('_seconds' in seconds.data ? seconds.data._seconds : seconds.data.seconds)
  if (typeof value === 'string' && /^\d+$/.test(value)) return momentOf(Number(value))
  if (typeof value !== 'string' && typeof value !== 'number') return null
  // Seconds until the year 5138 are fewer than the milliseconds of 1973.
  const moment = typeof value === 'number' && value < 1e11 ? fromEpochSeconds(value) : new Date(value)
  return Number.isNaN(moment.getTime()) ? null : moment
}

function uidOf(document: unknown): string {
  const found = z
    .object({ uid: z.string() })
    .or(z.object({ id: z.string() }))
    .safeParse(document)
  if (!found.success) throw new Error('The profiles file holds a document without uid')
  return 'uid' in found.data ? found.data.uid : found.data.id
}

function json(content: string, what: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw new Error(`The ${what} file is not JSON`)
  }
}

function parsed<Shape extends z.ZodType>(shape: Shape, value: unknown, what: string): z.output<Shape> {
  const { data, error, success } = shape.safeParse(value, { error: en().localeError })
  if (success) return data
  const [first] = error.issues
  throw new Error(`The ${what} file is not as expected: ${first?.path.join('.')} (${first?.message})`)
}
