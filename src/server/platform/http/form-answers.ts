import { AsyncLocalStorage } from 'node:async_hooks'
import { and, eq, sql } from 'drizzle-orm'
import { hashOf } from '../../accounts/limits.ts'
import { seal, sealingKey, unseal } from '../../accounts/sealing.ts'
import { type Db, isId } from '../database/client.ts'
import { formAnswers } from '../database/schema/projects.ts'
import { log } from '../telemetry/log.ts'

/** Long enough for a form that is sent again because its answer was lost. */
const keptFor = sql`interval '1 hour'`
/** A whole page; a file is not kept. */
const longest = 131_072
const headersKept = ['content-type', 'location', 'set-cookie', 'x-remix-response', 'cache-control']

type Form = { key: string; place: string }
type Asked = { db: Db; who: string; ended: Promise<void>; form?: Form; known?: Response }
type Kept = { status: number; headers: [string, string][]; body: string }

const asking = new AsyncLocalStorage<Asked>()
/** Forms that this process is answering now, by their place. */
const underWay = new Map<string, Promise<void>>()

/**
 * Says which form is being answered, by its key, which each form has for itself as it is shown, and by all that it says.
 * One that was answered before is not done again: what is thrown here stands in until `answerForm` says it once more.
 */
export async function noteForm(fields: Readonly<Record<string, unknown>>): Promise<void> {
  const asked = asking.getStore()
  const { formKey: key, ...said } = fields
  // One with a key of its own kind is answered by what it made.
  if (!asked || 'requestKey' in said || typeof key !== 'string' || !isId(key)) return
  const form = { key, place: hashOf(JSON.stringify([asked.who, key, Object.entries(said).sort()])) }
  await underWay.get(form.place)
  const known = await answeredThen(asked.db, form)
  if (known) {
    asked.known = known
    throw new Response(null, { status: 303, headers: { location: '/' } })
  }
  asked.form = form
  underWay.set(form.place, asked.ended)
}

/**
 * Answers a form. The same words of the same person under the same key were sent again since their answer was lost: they
 * are answered what they were answered then.
 */
export async function answerForm(db: Db, who: string, answer: () => Promise<Response>): Promise<Response> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const asked: Asked = { db, who, ended }
  try {
    const answered = await asking.run(asked, answer)
    const { form, known } = asked
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
      // What the form asked for is done: its answer is not lost for this.
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

/** Forgets what no one sends again any more. */
export const forgetFormAnswers = (db: Db) =>
  db.delete(formAnswers).where(sql`${formAnswers.createdAt} < now() - ${keptFor}`)
