import { randomUUID } from 'node:crypto'
import { editsAgencies } from '../../domain/agencies/agency.ts'
import { monthPattern, settlesCommissions } from '../../domain/agencies/commissions.ts'
import { keyState } from '../../domain/agencies/integrations.ts'
import { localDay } from '../../domain/shared/format.ts'
import { refuse, unwrap } from '../../domain/shared/refusal.ts'
import { calledBy } from '../../domain/users/user.ts'
import { agencyActivity } from '../../server/agencies/activity.ts'
import { signedInAllies } from '../../server/agencies/agencies-queries.ts'
import { holdersOf } from '../../server/agencies/hand-over.ts'
import { clientOptions, clientsByStage, listClients } from '../../server/agencies/list.ts'
import { commissionsOfMonth, payableCommissions, payoutsOf } from '../../server/agencies/queries.ts'
import { commissionMonths } from '../../server/agencies/sums.ts'
import { apiKeysOf } from '../../server/integrations/public-api/keys.ts'
import { webhooksOf } from '../../server/integrations/webhooks/queries.ts'
import { historyOf } from '../../server/platform/database/queries.ts'
import { readAllies } from '../../server/users/store.ts'
import { pageLinks, readFilters } from '../lib/lists.tsx'
import { agencySectionPath, type PartAsked } from './agency-part.ts'
import { clientFilters } from './list-query.ts'
import { loadFigures } from './load-figures.ts'

/** What ?seccion=datos shows: what an agency is, its people, and to whoever edits it what became of it. */
export async function loadDetails({ db, actor, agency, now }: PartAsked) {
  const canEdit = editsAgencies(actor)
  const [allies, events, signedIn] = await Promise.all([
    loadAllies({ db, actor, agency }),
    canEdit ? historyOf(db, 'agency', agency.id) : [],
    canEdit ? signedInAllies(db, agency.id, now) : 0,
  ])
  return { allies, events, signedIn, canEdit }
}

/** Who sells for an agency. */
async function loadAllies({ db, actor, agency }: Pick<PartAsked, 'db' | 'actor' | 'agency'>) {
  const allies = await readAllies(db, actor, agency.id).then(unwrap)
  return allies.map((ally) => ({ id: ally.uid, name: calledBy(ally), active: ally.active }))
}

/** What ?seccion=resumen shows. */
export async function loadSummary(asked: PartAsked) {
  // Clients' stages are brought up to date first, which is among what happened.
  const figures = await loadFigures(asked)
  const [allies, activity] = await Promise.all([
    loadAllies(asked),
    agencyActivity(asked.db, asked.actor, asked.agency.id),
  ])
  return { allies, figures, activity, kind: asked.actor.kind, now: asked.now }
}

/** What ?seccion=clientes shows: how many at each stage; to whoever edits agencies also who they are, and who holds them. */
export async function loadAgencyClients(asked: PartAsked) {
  const { actor, agency, db, now } = asked
  const stages = await clientsByStage(db, agency.id, now)
  return {
    now,
    stages,
    isAlly: actor.kind === 'alliate',
    managed: editsAgencies(actor) ? await managed(asked) : null,
  }
}

async function managed({ actor, agency: { id }, db, now, url }: PartAsked) {
  const { after, filters } = readFilters(clientFilters, url)
  const [{ next, ...page }, options, holders, allies] = await Promise.all([
    listClients(db, actor, id, { ...filters, ...(after && { after }) }, now),
    clientOptions(db, actor, id),
    holdersOf(db, id),
    readAllies(db, actor, id).then(unwrap),
  ])
  const takers = allies.filter(({ active }) => active).map((ally) => ({ id: ally.uid, name: calledBy(ally) }))
  const pages = pageLinks({ seccion: 'clientes', ...filters }, after, next)
  return { ...page, ...pages, filters, options, holders, takers }
}

/** What ?seccion=comisiones shows: the sums of each month, and to whoever settles them one month's rows (?mes=2026-11). */
export async function loadCommissions(asked: PartAsked) {
  const { actor, agency, db } = asked
  const { months, sums } = await commissionMonths(db, actor, agency.id)
  const desk = settlesCommissions(actor) ? await deskOf(asked, months[0]?.month) : null
  return { months, sums, desk }
}

async function deskOf({ actor, agency, db, now, url }: PartAsked, last: string | undefined) {
  const wanted = url.searchParams.get('mes') ?? ''
  const month = monthPattern.test(wanted) ? wanted : (last ?? localDay(now).slice(0, 7))
  const [rows, payable, payouts] = await Promise.all([
    commissionsOfMonth(db, actor, agency.id, month),
    payableCommissions(db, actor, agency.id),
    payoutsOf(db, actor, agency.id),
  ])
  // Each form has a key of its own: sent twice, it is one change.
  const lines = rows.map((row) => ({ ...row, requestKey: randomUUID() }))
  return { month, lines, payable, payouts, today: localDay(now), requestKey: randomUUID() }
}

/** What whoever settles an agency's commissions sees of them. */
export type CommissionDesk = NonNullable<Awaited<ReturnType<typeof loadCommissions>>['desk']>

/** What ?seccion=integracion shows of webhooks; ?antes= is the delivery that a page of older ones begins after. */
export async function loadWebhooks({ db, actor, agency, now, url }: PartAsked) {
  const before = url.searchParams.get('antes')
  const { older, ...shown } = (await webhooksOf(db, actor, agency.id, { before, now })) ?? refuse('not-found')
  const here = agencySectionPath(agency.id, 'integracion')
  return { ...shown, first: before && here, next: older && `${here}&antes=${older}` }
}

/** What ?seccion=integracion shows of the keys: those that serve before the others. */
export async function loadKeys({ db, actor, agency, now }: PartAsked) {
  const keys = await apiKeysOf(db, actor, agency.id)
  const told = keys.map((key) => ({ ...key, state: keyState(key, now) }))
  const serving = told.filter(({ state }) => state === 'active')
  return { serving, ended: told.filter(({ state }) => state !== 'active'), now }
}
