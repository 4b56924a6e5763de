import { sectionFor, sectionsFor } from '../../domain/agencies/agency.ts'
import type { PartAsked } from './agency-part.ts'
import { loadClients } from './load-clients.ts'
import { loadCodes } from './load-codes.ts'
import { loadCommissions } from './load-commissions.ts'
import { loadDetails } from './load-details.ts'
import { loadKeys } from './load-keys.ts'
import { loadSummary } from './load-summary.ts'
import { loadWebhooks } from './load-webhooks.ts'

/** Reads the part of an agency's page that its address asks for; the others stay null, and are not read. */
export async function loadSection(asked: PartAsked) {
  const section = sectionFor(asked.actor, asked.url.searchParams.get('seccion'))
  const only = <Part>(name: typeof section, read: (asked: PartAsked) => Promise<Part>) =>
    section === name ? read(asked) : null
  const [summary, codes, clients, commissions, keys, webhooks, details] = await Promise.all([
    only('resumen', loadSummary),
    only('codigos', loadCodes),
    only('clientes', loadClients),
    only('comisiones', loadCommissions),
    only('integracion', loadKeys),
    only('integracion', loadWebhooks),
    only('datos', loadDetails),
  ])
  const parts = { summary, codes, clients, commissions, keys, webhooks, details }
  return { ...parts, section, sections: sectionsFor(asked.actor) }
}
