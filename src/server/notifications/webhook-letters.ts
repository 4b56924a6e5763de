import { eq } from 'drizzle-orm'
import { stopLabels } from '../../domain/webhook.ts'
import { webhookEndpoints } from '../database/ally-schema.ts'
import type { Db } from '../database/database.ts'
import { agencies } from '../database/office-schema.ts'
import type { AboutWebhook } from './jobs.ts'
import type { Addressed } from './money-letters.ts'
import { activeManagers } from './recipients.ts'
import type { House } from './told.ts'
import { laidOut, type Words } from './written.ts'

/** To the managers, of an endpoint that was switched off by itself; none once somebody looked after it. */
export async function webhookLetters(db: Db, job: AboutWebhook, house: House): Promise<Addressed[]> {
  const [told] = await db
    .select({
      agencyId: agencies.id,
      agency: agencies.name,
      url: webhookEndpoints.url,
      reason: webhookEndpoints.stoppedReason,
    })
    .from(webhookEndpoints)
    .innerJoin(agencies, eq(agencies.id, webhookEndpoints.agencyId))
    .where(eq(webhookEndpoints.id, job.endpointId))
  if (!told?.reason || told.reason === 'manager') return []
  const link = {
    label: 'Ver los envíos',
    href: `${house.baseUrl}/admin/agency/${told.agencyId}?seccion=integracion`,
  }
  const words: Words = {
    subject: `Apagamos los avisos a un sistema de ${told.agency}`,
    heading: 'Apagamos un destino de avisos',
    paragraphs: [
      'Ya no le mandamos los cambios de etapa de sus clientes. Avisa a la concesionaria; cuando lo arregle, enciéndelo y envía de nuevo lo que no llegó.',
    ],
    facts: [
      ['Concesionaria', told.agency],
      // The rest of the address may carry a key of theirs.
      ['Servidor', new URL(told.url).host],
      ['Motivo', stopLabels[told.reason]],
    ],
  }
  return (await activeManagers(db)).map((manager) => ({
    reader: manager,
    letter: laidOut(words, manager, house, link),
  }))
}
