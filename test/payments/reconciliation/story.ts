import { asc, eq } from 'drizzle-orm'
import { bankLines } from '../../../src/server/platform/database/schema/payments.ts'
import type { Person } from '../../kit/people.ts'
import type { World } from '../../kit/world.ts'
import { acceptQuote, demandOf, prove, sendForm } from '../story.ts'

export const bank = '/admin/payments?parte=banco'
const heading = 'Fecha,Descripción,Referencia,Clave de rastreo,Cargo,Abono,Saldo'
let balance = 0

/** A row of the bank's file: money that came in. */
export const came = (
  day: string,
  amount: string,
  { text = 'SPEI RECIBIDO', reference = '', key = '' } = {},
) => `${day},"${text}",${reference},${key},,"${amount}",${++balance}`
export const csv = (...rows: string[]) => [heading, ...rows].join('\r\n')

/** Hands in a file, confirms its columns as they are proposed, and answers what its reader is told. */
export async function reads(
  world: World,
  who: Person,
  text: string,
  name = 'movimientos.csv',
  otherwise: Record<string, string> = {},
) {
  const up = await uploads(world, who, text, name)
  const address = up.location!
  const { text: page } = await world.visit(address, who)
  const statementId = /name="statementId" value="([^"]+)"/.exec(page)![1]!
  const columns = { date: '0', description: '1', reference: '2', trackingKey: '3', sign: '', credit: '5' }
  return world.post(
    bank,
    { intent: 'read-statement', statementId, version: '1', ...columns, ...otherwise },
    who,
  )
}

export const uploads = (
  world: World,
  who: Person,
  text: string | Uint8Array<ArrayBuffer>,
  name = 'movimientos.csv',
) => sendForm(world, bank, { intent: 'upload-statement' }, who, new File([text], name, { type: 'text/csv' }))

/** A customer whose deposit of $5,000.00 waits: with the proof of a transfer, or without one. */
export async function owing(world: World, trackingKey: string | null = null) {
  const customer = await world.person({ name: 'Camila', lastname: 'Prueba' })
  const home = await world.home(customer)
  await acceptQuote(world, customer, home)
  if (trackingKey) await prove(world, customer, home.projectId, { trackingKey })
  const demand = (await demandOf(world, home.projectId))!
  return { customer, projectId: home.projectId, demand }
}

/** The movements as stored, in the order they came. */
export const linesOf = ({ db }: Pick<World, 'db'>) =>
  db.select().from(bankLines).orderBy(asc(bankLines.bookedOn), asc(bankLines.amount), asc(bankLines.id))
export const lineOf = async ({ db }: Pick<World, 'db'>, key: string) =>
  (await db.select().from(bankLines).where(eq(bankLines.trackingKey, key)))[0]!
