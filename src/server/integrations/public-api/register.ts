import { z } from 'zod'
import { personName } from '../../../domain/accounts/schema.ts'
import { codeIn } from '../../../domain/agencies/codes.ts'
import { Refusal } from '../../../domain/shared/refusal.ts'
import { optionalEmail, optionalText, theirPhone } from '../../../domain/shared/schema.ts'
import { hashOf } from '../../accounts/code.ts'
import { plainName, registerAgain } from '../../agencies/again.ts'
import { inviteEnd } from '../../agencies/register.ts'
import type { Db } from '../../platform/database/database.ts'
import { announce } from '../../platform/live/announcements.ts'
import { once } from './idempotency.ts'
import type { ApiCaller } from './key-access.ts'
import { Problem } from './problems.ts'
import { invalid } from './refused.ts'
import type { newClient, registeredClient } from './schemas.ts'

type Sent = z.output<typeof newClient>
type Registered = z.output<typeof registeredClient>
/** What an answer says of the house: the address people reach it by, and the privacy notice in force. */
export type Address = { baseUrl: string; termsVersion: string }

/** What the fields mean: tidied, and in the words of every other form where they can't be taken. */
const meaning = z.object({
  name: personName('Escribe su nombre.'),
  lastname: optionalText(80),
  phone: theirPhone,
  email: optionalEmail,
  vehicle: z
    .object({ brand: optionalText(40), model: optionalText(60) })
    .default({ brand: null, model: null }),
})

/**
 * Registers somebody for an agency, and answers how they are invited. A request without a name of the caller's is called by
 * whom it is about: sent again because its answer was lost, it is answered the same, and nobody is written to twice.
 */
export async function register(
  db: Db,
  caller: ApiCaller,
  { name, sent }: { name: string | undefined; sent: Sent },
  { baseUrl, termsVersion: consentVersion }: Address,
  now: Date,
): Promise<{ client: Registered; isNew: boolean }> {
  const read = meaning.safeParse(sent)
  if (!read.success) throw invalid(read.error.issues)
  const code = codeIn(sent.code.replace(/[\s-]/g, ''))
  if (!code) throw new Problem('code_unusable')
  const { vehicle: car, ...contact } = read.data
  const year = sent.vehicle?.year ?? null
  const vehicle = car.brand || car.model || year ? { ...car, year, deliveredOn: null } : null
  const person = { ...contact, code, vehicle }
  const who = {
    agencyId: caller.agencyId,
    allyId: null,
    source: 'api',
    actorId: null,
    consentVersion,
  } as const
  let isNew = name !== undefined
  const request = name === undefined ? calledBy(person) : { name, input: person }
  const client = await once(db, caller, request, async (tx): Promise<Registered> => {
    const { id, isNew: made, token } = await registerAgain(tx, who, person, now).catch(ofCode)
    isNew = made
    const query = new URLSearchParams({ codigo: code, registro: token })
    return {
      ...{ id, firstName: person.name, stage: 'invited', waitingOn: 'customer', since: now.toISOString() },
      ...{ appointments: [], invitationUrl: `${baseUrl}/approach?${query}` },
      invitationExpiresAt: inviteEnd(now).toISOString(),
    }
  })
  announce(db, { people: [caller.agencyId], desk: false })
  return { client, isNew }
}

/** No caller's own name has a space. */
function calledBy({ code, name, phone }: { code: string; name: string; phone: string }) {
  const about = [phone, plainName(name), code]
  return { name: `same ${hashOf(about.join(' '))}`, input: about }
}

/** A refusal that concerns the code says so by its name. */
function ofCode(error: unknown): never {
  const { errors } = ((error instanceof Refusal && error.details) || {}) as { errors?: { code?: string } }
  throw errors?.code ? new Problem('code_unusable', errors.code) : error
}
