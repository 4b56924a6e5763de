import { refuse } from '../../domain/shared/refusal.ts'
import { webhooksOf } from '../../server/integrations/webhooks/queries.ts'
import { type PartAsked, sectionPath } from './agency-part.ts'

/** What ?seccion=integracion shows of webhooks; ?antes= is the delivery that a page of older ones begins after. */
export async function loadWebhooks({ db, actor, agency, now, url }: PartAsked) {
  const before = url.searchParams.get('antes')
  const { older, ...shown } = (await webhooksOf(db, actor, agency.id, { before, now })) ?? refuse('not-found')
  const here = sectionPath(agency.id, 'integracion')
  return { ...shown, first: before && here, next: older && `${here}&antes=${older}` }
}
