import { desc, eq, sql } from 'drizzle-orm'
import { fiscalData } from '../../../src/server/platform/database/schema/payments.ts'
import { events } from '../../../src/server/platform/database/schema/projects.ts'
import { fileOf } from '../../documents/samples.ts'
import type { Person } from '../../kit/people.ts'
import { dataPath } from '../../kit/visitor.ts'
import type { World } from '../../kit/world.ts'

/** What somebody types who may deduct everything. */
export const typed = {
  ...{ rfc: ' gode-561231-gr8 ', legalName: ' Eva  Gómez ', regime: '612', cfdiUse: 'G03' },
  ...{ postalCode: '04000', email: 'Facturas@Prueba.MX' },
}
type Form = Partial<Record<keyof typeof typed | 'intent' | 'version', string>>

/** Sends /fiscal as a browser does, with a Constancia or without one. */
export function sendFiscal(world: World, by: Person, form: Form = {}, constancia?: Buffer, asData = false) {
  const body = new FormData()
  const fields = { intent: 'submit-fiscal', ...typed, ...form }
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.set(name, value)
  // A browser sends a box that was left empty as a file without a name.
  body.set('constancia', constancia ? fileOf(constancia, 'constancia.pdf') : fileOf('', ''))
  const headers = { origin: 'http://carga.test' }
  return world.send(asData ? dataPath('/fiscal') : '/fiscal', by, { method: 'POST', headers, body })
}

export const fiscalDataOf = async ({ db }: World, { id }: Person) =>
  (await db.select().from(fiscalData).where(eq(fiscalData.customerId, id)))[0]

/** What was done to somebody's fiscal data, last first, without what they say. */
export const trailOfFiscal = async ({ db }: World, { id }: Person) =>
  db
    .select({ name: events.name, to: events.toState, reason: events.reason, data: events.data })
    .from(events)
    .where(eq(events.entityId, id))
    .orderBy(desc(events.id))
    .then((rows) => rows.filter(({ name }) => ['keep', 'submit', 'verify', 'reject'].includes(name)))

/** The letters on their way about somebody's fiscal data, in order. */
export async function fiscalLettersOf({ db }: World, { id }: Person): Promise<string[]> {
  const { rows } = await db.execute<{ letter: string }>(
    sql`select data->>'letter' as letter from pgboss.job where name = 'letter' and data->>'fiscalOf' = ${id} order by created_on`,
  )
  return rows.map(({ letter }) => letter)
}
