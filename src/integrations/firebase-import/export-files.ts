import type { FirebaseHashing } from '../../accounts/password.ts'
import { fromEpochSeconds } from '../../shared/calendar.ts'
import {
  type AuthUser,
  authUsers,
  documentUid,
  type FirebaseProfile,
  firebaseProfile,
  hashParameters,
  parsed,
  timestampFields,
} from './schema.ts'

/** The people of `firebase auth:export people.json --format=json`. */
export function readAuthUsers(content: string): AuthUser[] {
  return parsed(authUsers, json(content, 'users'), 'users').users
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
  return new Map(entries.map(([uid, one]) => [uid, parsed(firebaseProfile, one, 'profiles')]))
}

/** The parameters as the console shows them to copy (`hash_config { … }`). */
export function readHashing(content: string): FirebaseHashing {
  const value = (name: string) => new RegExp(`${name}\\s*:\\s*"?([^",\\s}]+)`).exec(content)?.[1]
  if (value('algorithm')?.toUpperCase() !== 'SCRYPT')
    throw new Error(
      'The hash parameters file does not say algorithm: SCRYPT, the only one of Firebase Authentication',
    )
  const signerKey = value('base64_signer_key')
  const saltSeparator = value('base64_salt_separator')
  const found = { signerKey, saltSeparator, rounds: value('rounds'), memCost: value('mem_cost') }
  return parsed(hashParameters, found, 'hash parameters')
}

/** A moment in any of the ways exports write one: ISO text, seconds, milliseconds, or a Timestamp's fields. */
export function momentOf(value: unknown): Date | null {
  const seconds = timestampFields.safeParse(value)
  if (seconds.success)
    return momentOf('_seconds' in seconds.data ? seconds.data._seconds : seconds.data.seconds)
  if (typeof value === 'string' && /^\d+$/.test(value)) return momentOf(Number(value))
  if (typeof value !== 'string' && typeof value !== 'number') return null
  // Seconds until the year 5138 are fewer than the milliseconds of 1973.
  const moment = typeof value === 'number' && value < 1e11 ? fromEpochSeconds(value) : new Date(value)
  return Number.isNaN(moment.getTime()) ? null : moment
}

function uidOf(document: unknown): string {
  const found = documentUid.safeParse(document)
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
