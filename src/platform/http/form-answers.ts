import { AsyncLocalStorage } from 'node:async_hooks'
import { and, eq, sql } from 'drizzle-orm'
import { overload } from '../../shared/overload.ts'
import { type Db, isId } from '../database/client.ts'
import { formAnswers } from '../database/schema/projects.ts'
import { log } from '../telemetry/log.ts'
import { hashOf, seal, sealingKey, unseal } from './sealing.ts'

/** How long a response is kept for a form sent again after its response was lost. */
const keptFor = sql`interval '1 hour'`
/** The largest response that is kept: a page, but no file. */
const longest = 131_072
const headersKept = ['content-type', 'location', 'set-cookie', 'x-remix-response', 'cache-control']

type Form = { key: string; place: string }
type Asked = {
  db: Db
  who: string
  ended: Promise<void>
  form?: Form
  known?: Response
  refused?: Refused
}
/** Whether a form was refused for what it asks, or since the database could not be asked. */
type Refused = 'own' | 'unavailable'
type Kept = { status: number; headers: [string, string][]; body: string }

const asking = new AsyncLocalStorage<Asked>()
/** The forms that this process is processing now. */
const underWay = new Map<string, Promise<void>>()

/**
 * Identifies the form of a request by its key, which is generated when it is shown, and its content. One that was processed
 * before is not processed again: this throws, and `answerForm` returns the stored response.
 */
export async function noteForm(fields: Readonly<Record<string, string>>): Promise<void> {
  const asked = asking.getStore()
  const { formKey: key, ...said } = fields
  // A form with a requestKey is recognised by the row it made.
  if (!asked || 'requestKey' in said || !key || !isId(key)) return
  const names = Object.keys(said).sort()
  const form = {
    key,
    place: hashOf(JSON.stringify([asked.who, key, names.map((name) => [name, said[name]])])),
  }
  await underWay.get(form.place)
  const known = await answeredThen(asked.db, form)
  if (known) {
    asked.known = known
    throw new Response(null, { status: 303, headers: { location: '/' } })
  }
  asked.form = form
  underWay.set(form.place, asked.ended)
}

/** The database of the form that is being processed. */
export const formDatabase = () => asking.getStore()?.db

/** Says that a form comes back with its values; where that is for what it asks, it is not sent again by itself. */
export function noteReturned(refused: Refused): void {
  const asked = asking.getStore()
  if (asked) asked.refused = refused
}

/**
 * Processes a form. The same content of the same user under the same key was sent again because its response was lost: it
 * gets the stored response.
 */
export async function answerForm(db: Db, who: string, answer: () => Promise<Response>): Promise<Response> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const asked: Asked = { db, who, ended }
  try {
    const answered = await asking.run(asked, answer)
    const { form, known, refused } = asked
    if (refused) answered.headers.set(overload.answered, refused)
    return known ?? (form && answered.status < 400 ? await keep(db, form, answered) : answered)
  } finally {
    end()
    if (asked.form) underWay.delete(asked.form.place)
  }
}

async function keep(db: Db, { key, place }: Form, answered: Response): Promise<Response> {
  const bytes = Buffer.from(await answered.arrayBuffer())
  const { headers, status } = answered
  if (bytes.length <= longest) {
    const told = [...headers].filter(([name]) => headersKept.includes(name))
    const kept: Kept = { status, headers: told, body: bytes.toString('latin1') }
    const answer = seal(sealingKey(key, 'answers'), JSON.stringify(kept))
    await db
      .insert(formAnswers)
      .values({ place, answer })
      .onConflictDoNothing()
      // The change is committed: a failure to store the response must not fail the request.
      .catch((err: unknown) => log.warn({ err }, 'form answer not stored'))
  }
  return new Response(bytes.length > 0 ? bytes : null, { status, headers })
}

async function answeredThen(db: Db, { key, place }: Form): Promise<Response | null> {
  const [row] = await db
    .select({ answer: formAnswers.answer })
    .from(formAnswers)
    .where(and(eq(formAnswers.place, place), sql`${formAnswers.createdAt} > now() - ${keptFor}`))
  const text = row && unseal(sealingKey(key, 'answers'), row.answer)
  if (!text) return null
  const { body, headers, status }: Kept = JSON.parse(text)
  return new Response(body ? Buffer.from(body, 'latin1') : null, { status, headers })
}

/** Deletes responses that are too old to be needed. */
export const forgetFormAnswers = (db: Db) =>
  db.delete(formAnswers).where(sql`${formAnswers.createdAt} < now() - ${keptFor}`)
